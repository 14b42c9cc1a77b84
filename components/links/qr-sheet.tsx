import type { ReactNode } from "react";
import { PageHead } from "#components/page/page-head.tsx";
import { buttonClasses } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";

interface QrSheetProps {
  back: { href: string; label: string };
  business: string;
  amount: string;
  description: string | null;
  /** Until when the link can be paid, or why it cannot. */
  until: string;
  isOpen: boolean;
  url: string;
  qr: { path: string; size: number };
  /** The code as a file. */
  svgHref: string;
  print: ReactNode;
}

/** A sheet to print or to show at a till: whom to pay, how much, and the code that opens the payment page. */
export function QrSheet({ back, business, amount, description, until, isOpen, url, qr, svgHref, print }: QrSheetProps) {
  return (
    <>
      <div className="print:hidden">
        <PageHead
          title="QR code"
          back={back}
          actions={
            <>
              <a href={svgHref} download="payment-link.svg" className={buttonClasses()}>
                Download SVG
              </a>
              {print}
            </>
          }
        />
        {!isOpen && (
          <div className="mb-6 max-w-[45rem]">
            <Notice tone="warning">{until}</Notice>
          </div>
        )}
      </div>
      <section
        aria-label="Sheet"
        className="flex max-w-[26rem] flex-col items-center gap-3 rounded-panel border border-line bg-[#fff] p-6 text-center text-[#000] forced-color-adjust-none print:mx-auto print:border-0"
      >
        <p className="text-title font-semibold wrap-anywhere">
          <bdi>{business}</bdi>
        </p>
        <p className="text-figure leading-tight font-semibold tabular-nums">{amount}</p>
        {description && (
          <p className="wrap-anywhere">
            <bdi>{description}</bdi>
          </p>
        )}
        <svg
          role="img"
          aria-label="QR code of the payment page"
          viewBox={`-3 -3 ${qr.size + 6} ${qr.size + 6}`}
          shapeRendering="crispEdges"
          className="w-full max-w-72"
        >
          <path d={qr.path} stroke="#000" />
        </svg>
        <p>Scan with your phone to pay by bank transfer.</p>
        {isOpen && <p className="font-semibold">{until}</p>}
        <p className="font-mono text-fact wrap-anywhere">{url}</p>
      </section>
    </>
  );
}
