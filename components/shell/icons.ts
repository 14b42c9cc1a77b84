import type { Metadata } from "next";
import type { Mode } from "./mode-switch.tsx";

/** Returns the icons of a page, for its `metadata`. In test mode the sign is amber, so that the tabs of a browser differ, too. */
export function iconsOf(mode: Mode): NonNullable<Metadata["icons"]> {
  return {
    icon: [
      { url: "/favicon.ico", sizes: "32x32" },
      { url: mode === "test" ? "/favicon-test.svg" : "/favicon.svg", type: "image/svg+xml" },
    ],
    apple: "/apple-touch-icon.png",
  };
}
