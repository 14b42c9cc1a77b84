import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { classes } from "./class-names.ts";
import { Spinner } from "./spinner.tsx";

type Variant = "primary" | "quiet" | "danger";

const LOOK: Record<Variant, string> = {
  primary: "bg-brand text-brand-ink border-transparent hover:bg-brand/95 active:bg-brand/90",
  quiet: "border-line bg-surface text-ink hover:bg-hover active:bg-line",
  danger: "bg-danger-fill text-danger-fill-ink border-transparent hover:bg-danger-fill/90 active:bg-danger-fill/80",
};

interface Look {
  variant?: Variant | undefined;
  /** Fills the width of its parent, as the one action of a form does. */
  wide?: boolean | undefined;
  /** Extra classes of place (margins, columns), not of look. */
  className?: string | undefined;
}

interface ButtonProps extends Look, Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> {
  children: ReactNode;
  /** Whether the work has begun. The button then keeps its width and its focus, shows `pendingLabel`, and ignores clicks. */
  pending?: boolean | undefined;
  pendingLabel?: string | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** A button. Its label is a verb with an object: "Fund card". `type` is `button` unless given. */
export function Button({
  variant,
  wide,
  className,
  pending = false,
  pendingLabel = "Sending…",
  children,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      {...rest}
      {...(pending && { "aria-disabled": true, type: "button", onClick: undefined })}
      className={buttonClasses({ variant, wide, className })}
    >
      {/* Both labels share one cell of a grid, so the button stays as wide as its own label. */}
      <span className={classes("col-start-1 row-start-1 inline-flex items-center gap-2", pending && "invisible")}>{children}</span>
      {pending && (
        <span className="col-start-1 row-start-1 inline-flex items-center gap-2">
          <Spinner />
          {pendingLabel}
        </span>
      )}
    </button>
  );
}

interface ButtonLinkProps extends Look {
  href: string;
  children: ReactNode;
}

/** A link that looks like a button, for an action that is a page. */
export function ButtonLink({ href, children, ...look }: ButtonLinkProps) {
  return (
    <a href={href} className={buttonClasses(look)}>
      <span className="inline-flex items-center gap-2">{children}</span>
    </a>
  );
}

/** Returns the classes of a button, for elements of other libraries that must look like one. */
export function buttonClasses({ variant = "quiet", wide = false, className }: Look = {}): string {
  return classes(
    "inline-grid min-h-11 place-items-center rounded-control border px-3 py-1.5 text-center font-medium transition-colors duration-150 sm:min-h-9",
    "disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-progress forced-colors:border-[ButtonBorder]",
    LOOK[variant],
    wide && "w-full",
    className,
  );
}
