import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Select } from "#components/ui/select.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";
import { FormNotice } from "./form-notice.tsx";
import { type FormSays, focusOf } from "./form-says.ts";

interface OfRefund {
  /** The business that refunds. */
  business: string;
  /** `₦5,000.00`. */
  amount: string;
}

const Strong = ({ children }: { children: string }) => <strong className="font-semibold wrap-anywhere text-ink">{children}</strong>;

interface NameAccountProps extends OfRefund {
  says: FormSays;
  token: string;
  isTest: boolean;
  banks: readonly { code: string; name: string }[];
  /** Until when an account can be named, in Lagos. */
  until: string;
}

const FIELDS = ["bank_code", "account_number"];

/** The first step: the customer names an account. */
export function NameAccount({ says, token, isTest, business, amount, banks, until }: NameAccountProps) {
  const { values, errors } = says;
  const focus = focusOf(FIELDS, says);
  return (
    <AuthFrame
      title={`Where shall your ${amount} go?`}
      lead={
        <>
          <Strong>{business}</Strong> sends it back to you. Name an account in the name that you paid from, until {until} in Lagos.
        </>
      }
    >
      <FormNotice says={says} />
      {isTest && <Notice tone="info">This is a test: no money was paid, and none is sent.</Notice>}
      {banks.length === 0 && <Notice tone="warning">The list of banks cannot be read now. Open this page again in a minute.</Notice>}
      <form method="post" action="/refund-account/name" className="flex flex-col gap-4">
        <input type="hidden" name="token" value={token} />
        <Field label="Bank" name="bank_code" error={errors.bank_code}>
          {(wiring) => (
            <Select {...wiring} defaultValue={values.bank_code ?? ""} autoFocus={focus === "bank_code"}>
              <option value="" disabled>
                Choose your bank
              </option>
              {banks.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Account number" name="account_number" error={errors.account_number} hint="Ten digits.">
          {(wiring) => (
            <Input
              {...wiring}
              inputMode="numeric"
              autoComplete="off"
              maxLength={20}
              defaultValue={values.account_number}
              autoFocus={focus === "account_number"}
            />
          )}
        </Field>
        <SubmitButton wide pendingLabel="Asking your bank…">
          Check the account
        </SubmitButton>
      </form>
      <p className="text-fact text-muted">
        Nobody needs your PIN, your password or a code to send money to you. If somebody asks for one, it is not {business}.
      </p>
    </AuthFrame>
  );
}

interface CheckAccountProps extends OfRefund {
  token: string;
  /** The account, sealed. */
  sealed: string;
  bankName: string;
  accountNumber: string;
  accountName: string;
}

/** The second step: the customer sees whose account it is. */
export function CheckAccount({ token, sealed, amount, business, bankName, accountNumber, accountName }: CheckAccountProps) {
  const facts = [
    ["Name", accountName],
    ["Bank", bankName],
    ["Account number", accountNumber],
  ];
  return (
    <AuthFrame title="Is this your account?" lead={`${amount} of ${business} goes there, once. It cannot be changed afterwards.`}>
      <dl className="flex flex-col gap-2 rounded-panel border border-line px-4 py-3">
        {facts.map(([label, value]) => (
          <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-muted">{label}</dt>
            <dd className="text-right font-medium wrap-anywhere tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <form method="post" action="/refund-account/give" className="flex flex-col">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="account" value={sealed} />
        <SubmitButton wide pendingLabel="Sending…">
          {`Send ${amount} there`}
        </SubmitButton>
      </form>
      <ButtonLink href={`/refund-account?token=${encodeURIComponent(token)}`} wide>
        No, another account
      </ButtonLink>
    </AuthFrame>
  );
}

interface RefundSaysProps extends OfRefund {
  state: "deciding" | "processing" | "paid" | "failed" | "reversed";
  /** Bank and the end of the number; null where no account was named. */
  to: string | null;
}

/** What became of the refund. The link of the mail leads here once it has been used. */
export function RefundSays({ business, amount, state, to }: RefundSaysProps) {
  const there = to ?? "your account";
  switch (state) {
    case "deciding":
      return (
        <AuthFrame title={`${business} decides now`} lead={`Before ${amount} goes to ${there}, somebody looks at the account.`}>
          <p>That takes at most seven days. You need do nothing. Write to {business} if it takes longer.</p>
        </AuthFrame>
      );
    case "processing":
      return (
        <AuthFrame title={`${amount} is on its way`} lead={`To ${there}, from ${business}.`}>
          <p>It usually arrives within minutes. You can close this page.</p>
        </AuthFrame>
      );
    case "paid":
      return (
        <AuthFrame title={`${amount} is sent`} lead={`To ${there}, from ${business}.`}>
          <p>If your bank does not show it within one working day, write to {business}.</p>
        </AuthFrame>
      );
    case "reversed":
      return (
        <AuthFrame title={`${amount} came back`} lead={`${business} sent it to ${there}, and your bank sent it back.`}>
          <p>Write to {business} about another way.</p>
        </AuthFrame>
      );
    default:
      return (
        <AuthFrame title="This refund has ended" lead={`${amount} of ${business} was not sent${to ? ` to ${there}` : ""}.`}>
          <p>Write to {business} if you expect it.</p>
        </AuthFrame>
      );
  }
}

/** Shown for a link that is incomplete or not ours. */
export const RefundLinkEnded = () => (
  <AuthFrame title="This link is not complete" lead="Open it from the mail again. If you copied it, check that nothing is missing.">
    <p>If it still does not work, write to the business that you paid.</p>
  </AuthFrame>
);
