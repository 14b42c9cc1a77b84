import { CSPProvider } from "@base-ui/react/csp-provider";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { iconsOf } from "#components/shell/icons.ts";
import { inter } from "#components/ui/fonts/inter.ts";
import "#components/ui/styles.css";
import { DESCRIPTION, THEME_COLOURS } from "./about.ts";

export const metadata: Metadata = {
  title: { default: "Oja", template: "%s · Oja" },
  description: DESCRIPTION,
  applicationName: "Oja",
  manifest: "/site.webmanifest",
  icons: iconsOf("live"),
  formatDetection: { telephone: false, email: false, address: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  colorScheme: "light dark",
  themeColor: THEME_COLOURS,
};

/** The document of every page for people who work here. The payer's page is a document of its own. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  // The server sets the nonce together with the Content-Security-Policy. In development there is neither.
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang="en" className={inter.variable}>
      <body className="font-sans antialiased">
        <CSPProvider {...(nonce !== undefined && { nonce })}>{children}</CSPProvider>
      </body>
    </html>
  );
}
