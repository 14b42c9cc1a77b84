import { expect, test } from "vitest";
import { languageOf } from "./language.ts";

/** Returns the language for a browser with this `Accept-Language` header and a payer who chose this language. */
const languageFor = (header: string | null, chosen: string | null = null) =>
  languageOf(new Request("http://oja.example/", header === null ? {} : { headers: { "accept-language": header } }), chosen);

test.each([
  [null, "en"],
  ["*", "en"],
  ["fr-FR,fr;q=0.9", "en"],
  ["ha-NG,ha;q=0.9,en;q=0.8", "ha"],
  ["fr,yo;q=0.5,en;q=0.2", "yo"],
  ["en-NG,ig;q=0.9", "en"],
  ["pcm", "pcm"],
  ["ig;q=0,yo;q=0.1", "yo"],
  [";;;q=,,", "en"],
])("a browser that accepts %s gets %s", (header, language) => {
  expect(languageFor(header)).toBe(language);
});

test("a chosen language wins over the browser's, and a language that is not offered is ignored", () => {
  expect(languageFor("ha", "ig")).toBe("ig");
  expect(languageFor("ha", "__proto__")).toBe("ha");
  expect(languageFor("ha", "xx")).toBe("ha");
});
