import type { ComponentProps } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ModeSwitch } from "#components/shell/mode-switch.tsx";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";
import { Input } from "./input.tsx";
import { Notice } from "./notice.tsx";
import { Table } from "./table.tsx";

const field = (props: Partial<ComponentProps<typeof Field>>) =>
  renderToStaticMarkup(Field({ label: "Email", name: "email", children: (wiring) => Input(wiring), ...props }));

/** Returns the first tag of a kind, up to its classes. */
const tagOf = (markup: string, name: string) => new RegExp(`<${name}[^>]*>`).exec(markup)?.[0].replace(/ class="[^"]*"/, "");

test("a field with an error points its control at the error first and the hint second", () => {
  const markup = field({ error: "Write an address.", hint: "We send a link." });
  expect(tagOf(markup, "input")).toBe(
    '<input id="email" required="" aria-describedby="email-error email-hint" aria-invalid="true" name="email"/>',
  );
  expect(markup).toContain('<p id="email-error"');
  expect(markup).toContain('<p id="email-hint"');
});

test("an optional field says so and is not required", () => {
  const markup = field({ optional: true });
  expect(tagOf(markup, "input")).toBe('<input id="email" name="email"/>');
  expect(markup).toContain("(optional)");
});

test("a pending button stays a focusable button, keeps its label's width, and sends no form", () => {
  const markup = renderToStaticMarkup(Button({ type: "submit", pending: true, children: "Fund card" }));
  expect(tagOf(markup, "button")).toBe('<button type="button" aria-disabled="true">');
  expect(markup).toMatch(/<span class="[^"]*\binvisible\b[^"]*">Fund card<\/span>/);
  expect(markup).toContain("Sending…");
});

test("an error is an alert that can take the focus without script, and other notices are statuses", () => {
  const error = renderToStaticMarkup(Notice({ tone: "danger", takesFocus: true, title: "Refused" }));
  expect(tagOf(error, "div")).toBe('<div role="alert" tabindex="-1" autofocus="">');
  expect(tagOf(renderToStaticMarkup(Notice({ children: "Saved" })), "div")).toBe('<div role="status" tabindex="-1">');
});

test("a row of a table has one link, its first cell, and a table keeps its roles when rows are cards", () => {
  const markup = renderToStaticMarkup(
    Table<"name" | "amount">({
      caption: "Links",
      columns: [
        { key: "name", label: "Name" },
        { key: "amount", label: "Amount", figures: true },
      ],
      rows: [{ key: "1", href: "/links/1", cells: { name: "Rice", amount: "₦5,000.00" } }],
    }),
  );
  expect(markup.match(/<a /g)).toHaveLength(1);
  expect(tagOf(markup, "a")).toBe('<a href="/links/1">');
  for (const role of ["table", "row", "columnheader", "cell"]) expect(markup).toContain(`role="${role}"`);
});

test("the mode switch keeps the business, also where its id has the word of a mode", () => {
  const links = (base: string, mode: "test" | "live") =>
    [...renderToStaticMarkup(ModeSwitch({ base, mode })).matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  expect(links("/b/biz_test/test", "test")).toEqual(["/b/biz_test/test", "/b/biz_test/live"]);
  expect(links("/live", "live")).toEqual(["/test", "/live"]);
});
