import { expect, test } from "vitest";
import { languageOf } from "./language.ts";

const asking = (header: string | null, chosen: string | null = null) =>
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
])("a browser that asks for %s reads %s", (header, language) => {
  expect(asking(header)).toBe(language);
});

test("the switch wins over the browser; what it does not offer is ignored", () => {
  expect(asking("ha", "ig")).toBe("ig");
  expect(asking("ha", "__proto__")).toBe("ha");
  expect(asking("ha", "xx")).toBe("ha");
});
