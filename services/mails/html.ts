import { escapeHtml } from "#lib/escape-html.ts";
import type { MailDescription } from "./templates/description.ts";

/** The tokens of `components/theme.css` that mails use. Mail programs do not support CSS variables, so the values are repeated here. */
export const MAIL_COLOURS = {
  light: { ground: "#f6f7f6", surface: "#ffffff", ink: "#16211d", muted: "#55635d", line: "#dde3e0" },
  dark: { ground: "#0e1412", surface: "#171f1c", ink: "#eaf0ed", muted: "#a3b1ab", line: "#2d3833" },
  brand: { brand: "#0f766e", "brand-ink": "#ffffff" },
};
const FONT = "ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif";

const { light, dark, brand } = MAIL_COLOURS;

/** For devices in dark mode. A program that drops style elements shows the light colours of the style attributes. */
const DARK_MODE = [
  `.ground{background:${dark.ground}!important}`,
  `.panel{background:${dark.surface}!important;border-color:${dark.line}!important}`,
  `.ink{color:${dark.ink}!important}`,
  `.muted{color:${dark.muted}!important}`,
].join("");

const paragraph = (html: string, style = "") => `<p class="ink" style="margin:0 0 16px;color:${light.ink};${style}">${html}</p>`;

/** Returns the HTML of a mail: no tables, images, scripts or remote content. */
export function toHtml({ subject, preheader, paragraphs, facts = [], button, otherAction, footnote }: MailDescription): string {
  const other = otherAction
    ? paragraph(`<a class="ink" href="${escapeHtml(otherAction.link)}" style="color:${light.ink}">${escapeHtml(otherAction.label)}</a>`)
    : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${escapeHtml(subject)}</title>
<style>@media (prefers-color-scheme: dark){${DARK_MODE}}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${light.ground}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preheader)}</div>
<div class="ground" style="padding:24px 16px;background:${light.ground};font:16px/1.45 ${FONT}">
<div class="panel" style="max-width:520px;margin:0 auto;padding:24px;background:${light.surface};border:1px solid ${light.line};border-radius:10px;overflow-wrap:break-word">
<p class="muted" style="margin:0 0 24px;color:${light.muted};font-size:14px;font-weight:600">Oja</p>
<h1 class="ink" style="margin:0 0 16px;color:${light.ink};font-size:20px;line-height:1.3;font-weight:600">${escapeHtml(subject)}</h1>
${paragraphs.map((each) => paragraph(escapeHtml(each))).join("\n")}
${facts.length === 0 ? "" : paragraph(facts.map(factLine).join("<br>\n"))}
<p style="margin:24px 0"><a href="${escapeHtml(button.link)}" style="display:inline-block;padding:11px 20px;background:${brand.brand};color:${brand["brand-ink"]};border-radius:6px;font-weight:600;text-decoration:none">${escapeHtml(button.label)}</a></p>
${other}
<p class="muted" style="margin:24px 0 0;color:${light.muted};font-size:14px">${escapeHtml(footnote)}</p>
</div>
</div>
</body>
</html>
`;
}

const factLine = ([label, value]: [label: string, value: string]) =>
  `<span class="muted" style="color:${light.muted}">${escapeHtml(label)}:</span> ${escapeHtml(value)}`;
