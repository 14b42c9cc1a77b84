import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { CodeField } from "#components/ui/code-field.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";
import { TextLink } from "#components/ui/text-link.tsx";

export const metadata = { title: "Sign in" };

export default async function SignInExample({ searchParams }: { searchParams: Promise<{ refused?: string; code?: string }> }) {
  const { refused, code } = await searchParams;
  return (
    <AuthFrame
      title="Sign in"
      lead="To your business on Oja."
      footer={
        <>
          New here? <TextLink href="/ui">Create an account</TextLink>
        </>
      }
    >
      {refused !== undefined && (
        <Notice tone="danger" title="The address or the password is wrong." requestId="req_8fK2mPq7Lw4Tx9Q" takesFocus>
          Check both, or reset the password.
        </Notice>
      )}
      <form className="flex flex-col gap-4" method="post" action="/ui/sign-in">
        {code === undefined ? (
          <>
            <Field label="Email" name="email">
              {(wiring) => <Input type="email" autoComplete="username" {...wiring} />}
            </Field>
            <Field label="Password" name="password" aside={<TextLink href="/ui">Forgot it?</TextLink>}>
              {(wiring) => <PasswordInput autoComplete="current-password" {...wiring} />}
            </Field>
          </>
        ) : (
          <Field label="Code of your authenticator" name="code" hint="Six digits. It changes every 30 seconds.">
            {(wiring) => <CodeField {...wiring} />}
          </Field>
        )}
        <SubmitButton wide pendingLabel="Signing in…">
          Sign in
        </SubmitButton>
      </form>
    </AuthFrame>
  );
}
