/** Tells password managers whose password a form has, where the person does not type the email. */
export function Username({ email }: { email: string }) {
  return <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />;
}
