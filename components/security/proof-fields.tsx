import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";

interface PasswordFieldProps {
  /** For password managers, which keep a password with a name. */
  email: string;
  error: string | undefined;
  /** Whether it is the first field of its form. It is by default. */
  isFirst?: boolean | undefined;
}

/** The password of a person who is signed in already. */
export function PasswordField({ email, error, isFirst = true }: PasswordFieldProps) {
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field label="Your password" name="password" error={error}>
        {(wiring) => <PasswordInput {...wiring} autoComplete="current-password" maxLength={128} autoFocus={isFirst} />}
      </Field>
    </>
  );
}

interface CodeOrRecoveryFieldProps {
  /** Without an app, only a recovery code will do. */
  isAppOn: boolean;
  error: string | undefined;
}

/** A code of the authenticator app, or a recovery code. */
export function CodeOrRecoveryField({ isAppOn, error }: CodeOrRecoveryFieldProps) {
  return (
    <Field
      label={isAppOn ? "Code" : "Recovery code"}
      name="code"
      error={error}
      hint={isAppOn ? "The six digits that your app shows, or a recovery code." : "One of those that you kept. It works once."}
    >
      {(wiring) => (
        <Input
          {...wiring}
          className="font-mono"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          maxLength={100}
        />
      )}
    </Field>
  );
}

/** The repeated password, with a code while an authenticator app is on. */
export interface Proof {
  password: string;
  code?: string;
}

/** Returns what was typed into `ProofFields`. */
export function proofIn(typed: (field: string) => string): Proof {
  const code = typed("code");
  return { password: typed("password"), ...(code !== "" && { code }) };
}

interface ProofFieldsProps {
  email: string;
  isAppOn: boolean;
  /** Whether a code is needed. It may be even without an app, because a recovery code can replace a passkey. */
  isCodeDue?: boolean;
  errors: Record<string, string>;
}

/** The password, and a code if the app is on. A refusal shows the field too, if the app was turned on in another tab. */
export function ProofFields({ email, isAppOn, isCodeDue = isAppOn, errors }: ProofFieldsProps) {
  return (
    <>
      <PasswordField email={email} error={errors.password} />
      {(isCodeDue || errors.code) && <CodeOrRecoveryField isAppOn={isAppOn || !isCodeDue} error={errors.code} />}
    </>
  );
}
