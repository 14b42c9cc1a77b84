import type { ComponentProps, ReactNode } from "react";
import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { buttonClasses } from "#components/ui/button.tsx";
import { classes } from "#components/ui/class-names.ts";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Spinner } from "#components/ui/spinner.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { FormNotice } from "./form-notice.tsx";
import { type FormSays, focusOf } from "./form-says.ts";

interface SignInProps {
  says: FormSays;
  /** The page to open afterwards, if it is not home. */
  next: string | undefined;
}

/** The form of signing in. It is static: a small script finds its controls by their ids. */
export function SignIn({ says, next }: SignInProps) {
  const focus = says.values.email ? "password" : focusOf(["email", "password"], says);
  return (
    <AuthFrame
      title="Sign in"
      footer={
        <>
          New to Oja? <TextLink href="/sign-up">Create an account</TextLink>
        </>
      }
    >
      <FormNotice says={says} />
      <form method="post" action="/sign-in/send" className="flex flex-col gap-4">
        {next !== undefined && <input type="hidden" name="next" value={next} />}
        <Field label="Email" name="email" error={says.errors.email}>
          {(wiring) => (
            <Input {...wiring} type="email" autoComplete="username" defaultValue={says.values.email} autoFocus={focus === "email"} />
          )}
        </Field>
        <Field
          label="Password"
          name="password"
          error={says.errors.password}
          aside={<TextLink href="/reset">Forgot your password?</TextLink>}
        >
          {(wiring) => <Password {...wiring} autoFocus={focus === "password"} />}
        </Field>
        <WaitingButton id="send" type="submit" variant="primary" waitingLabel="Signing in…">
          Sign in
        </WaitingButton>
      </form>
      <div className="needs-js flex flex-col gap-3">
        <div id="passkey-problem" hidden>
          <Notice tone="danger">
            <span id="passkey-problem-text" />
          </Notice>
        </div>
        <WaitingButton id="passkey" type="button" variant="quiet" waitingLabel="Waiting for your passkey…">
          Sign in with a passkey
        </WaitingButton>
      </div>
    </AuthFrame>
  );
}

/** Looks like `PasswordInput`. */
function Password(props: Omit<ComponentProps<typeof Input>, "type">) {
  return (
    <span className="relative block">
      <Input spellCheck={false} autoCapitalize="none" autoComplete="current-password" {...props} type="password" className="pr-16" />
      <button
        id="show-password"
        type="button"
        aria-pressed={false}
        aria-label="Show password"
        className="needs-js absolute inset-y-0 right-0 min-w-14 rounded-control px-2 text-fact font-medium text-muted hover:text-ink"
      >
        Show
      </button>
    </span>
  );
}

interface WaitingButtonProps {
  id: string;
  type: "submit" | "button";
  variant: "primary" | "quiet";
  children: ReactNode;
  /** Replaces the label while the script has set `aria-disabled`. */
  waitingLabel: string;
}

function WaitingButton({ id, type, variant, children, waitingLabel }: WaitingButtonProps) {
  return (
    <button id={id} type={type} className={classes("group", buttonClasses({ variant, wide: true }))}>
      <span className="col-start-1 row-start-1 group-aria-disabled:invisible">{children}</span>
      <span className="invisible col-start-1 row-start-1 inline-flex items-center gap-2 group-aria-disabled:visible">
        <Spinner />
        {waitingLabel}
      </span>
    </button>
  );
}
