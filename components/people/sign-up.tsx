import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { FormNotice } from "./form-notice.tsx";
import { type FormSays, focusOf } from "./form-says.ts";

const FIELDS = ["name", "business", "email", "password"];

export function SignUp({ says }: { says: FormSays }) {
  const focus = focusOf(FIELDS, says);
  const text = (field: string) => ({ defaultValue: says.values[field], autoFocus: focus === field });
  return (
    <AuthFrame
      title="Create an account"
      lead="You start in test mode, with play money."
      footer={
        <>
          You have an account? <TextLink href="/sign-in">Sign in</TextLink>
        </>
      }
    >
      <FormNotice says={says} />
      <form method="post" action="/sign-up/send" className="flex flex-col gap-4">
        <Field label="Your name" name="name" error={says.errors.name}>
          {(wiring) => <Input {...wiring} {...text("name")} autoComplete="name" maxLength={80} />}
        </Field>
        <Field label="Business" name="business" error={says.errors.business} hint="Your customers see this name when they pay.">
          {(wiring) => <Input {...wiring} {...text("business")} autoComplete="organization" maxLength={80} />}
        </Field>
        <Field
          label="Email"
          name="email"
          error={says.errors.email}
          hint="We send a link to it, to check that it is yours. Customers see it as your contact when they pay."
        >
          {(wiring) => <Input {...wiring} {...text("email")} type="email" autoComplete="username" maxLength={254} />}
        </Field>
        <Field
          label="Password"
          name="password"
          error={says.errors.password}
          hint="At least 12 characters. A few words in a row are easy to remember."
        >
          {(wiring) => <PasswordInput {...wiring} autoComplete="new-password" autoFocus={focus === "password"} />}
        </Field>
        <SubmitButton wide pendingLabel="Creating…">
          Create account
        </SubmitButton>
      </form>
    </AuthFrame>
  );
}
