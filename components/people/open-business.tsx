import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { FormNotice } from "./form-notice.tsx";
import type { FormSays } from "./form-says.ts";

/** Another business of a person who has an account. */
export function OpenBusiness({ says, homeHref }: { says: FormSays; homeHref: string }) {
  return (
    <AuthFrame
      title="Open a business"
      lead="You are its owner. It starts in test mode, with play money."
      footer={<TextLink href={homeHref}>Back to the dashboard</TextLink>}
    >
      <FormNotice says={says} />
      <form method="post" action="/businesses/open" className="flex flex-col gap-4">
        <Field label="Business" name="business" error={says.errors.business} hint="Your customers see this name when they pay.">
          {(wiring) => <Input {...wiring} defaultValue={says.values.business} autoComplete="organization" maxLength={80} autoFocus />}
        </Field>
        <SubmitButton wide pendingLabel="Opening…">
          Open business
        </SubmitButton>
      </form>
    </AuthFrame>
  );
}
