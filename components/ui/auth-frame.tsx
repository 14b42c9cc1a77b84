import type { ReactNode } from "react";
import { Logo } from "./logo.tsx";

interface AuthFrameProps {
  title: ReactNode;
  /** One sentence under the title. */
  lead?: ReactNode;
  children: ReactNode;
  /** Under the form: the way to the other page. "New here? Create an account". */
  footer?: ReactNode;
}

/** The frame of signing in, signing up and resetting: one column, one primary action. */
export function AuthFrame({ title, lead, children, footer }: AuthFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 pt-6 pb-10 sm:pt-[12vh]">
      <main className="w-full max-w-[25rem]">
        <a href="/" aria-label="Oja, home" className="inline-flex min-h-11 items-center rounded-control sm:min-h-9">
          <Logo />
        </a>
        <h1 className="mt-6">{title}</h1>
        {lead && <p className="mt-1 text-muted">{lead}</p>}
        <div className="mt-6 flex flex-col gap-4">{children}</div>
        {footer && <p className="mt-6 border-t border-line pt-4 text-muted">{footer}</p>}
      </main>
    </div>
  );
}
