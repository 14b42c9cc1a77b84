import { Plus } from "lucide-react";
import { Amount } from "#components/ui/amount.tsx";
import { Avatar } from "#components/ui/avatar.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { CodeField } from "#components/ui/code-field.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { Logo } from "#components/ui/logo.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { Select } from "#components/ui/select.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { StatePill } from "#components/ui/state-pill.tsx";
import { Tabs } from "#components/ui/tabs.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Time } from "#components/ui/time.tsx";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#lib/time.ts";
import { LinksTable } from "./links-table.tsx";

const VARIANTS = ["primary", "quiet", "danger"] as const;

export function Buttons() {
  return (
    <div className="flex flex-col gap-3">
      {VARIANTS.map((variant) => (
        <div key={variant} className="flex flex-wrap gap-2">
          <Button variant={variant}>Fund card</Button>
          <Button variant={variant} pending>
            Fund card with $50.00
          </Button>
          <Button variant={variant} disabled>
            Fund card
          </Button>
          <ButtonLink variant={variant} href="/ui">
            <Plus aria-hidden="true" className="size-4" />
            Create link
          </ButtonLink>
        </div>
      ))}
      <p>
        A sentence with <TextLink href="/ui">a link</TextLink>. Press <Kbd>⌘</Kbd> <Kbd>K</Kbd> to search.
      </p>
      <Logo />
    </div>
  );
}

export function Notices() {
  return (
    <div className="grid gap-3 wide:grid-cols-2">
      <Notice title="The rate changed">It is 1,612.00 now.</Notice>
      <Notice tone="success">The link was created.</Notice>
      <Notice tone="warning" title="We do not know yet">
        Do not do it again: this page will tell you.
      </Notice>
      <Notice tone="danger" title="The bank refused the transfer" requestId="req_8fK2mPq7Lw4Tx9Q">
        No money moved. Check the account number, and send it again.
      </Notice>
    </div>
  );
}

export function Forms() {
  return (
    <form className="grid items-start gap-4 wide:grid-cols-3" noValidate>
      <Field label="Business name" name="name" hint="Payers see it.">
        {(wiring) => <Input defaultValue="Ada's Store" {...wiring} />}
      </Field>
      <Field label="Email" name="email" error="Write an address like ada@example.com.">
        {(wiring) => <Input type="email" defaultValue="ada@" {...wiring} />}
      </Field>
      <Field label="Description" name="description" optional>
        {(wiring) => <Input placeholder="Two bags of rice" {...wiring} />}
      </Field>
      <Field label="Password" name="password" aside={<TextLink href="/ui">Forgot it?</TextLink>}>
        {(wiring) => <PasswordInput autoComplete="current-password" {...wiring} />}
      </Field>
      <Field label="Network" name="network">
        {(wiring) => (
          <Select {...wiring}>
            <option>MTN</option>
            <option>9mobile, which was Etisalat before, a long name in a narrow field</option>
          </Select>
        )}
      </Field>
      <Field label="Code" name="code" hint="Six digits.">
        {(wiring) => <CodeField {...wiring} />}
      </Field>
      <Field label="Account id" name="account">
        {(wiring) => <Input disabled defaultValue="mer_8fK2mPq7Lw4Tx9Q" {...wiring} />}
      </Field>
      <div>
        <Checkbox name="keep" label="Keep me signed in" hint="For 30 days on this device." defaultChecked />
        <Checkbox name="other" label="Not to be changed" disabled />
      </div>
    </form>
  );
}

const AGES = [0, 12 * MINUTE_MS, 5 * HOUR_MS, 8 * DAY_MS, 400 * DAY_MS, -3 * HOUR_MS];

export function Facts({ now }: { now: Date }) {
  return (
    <div className="grid gap-6 wide:grid-cols-3">
      <div className="flex flex-wrap content-start gap-2">
        <StatePill tone="success">Paid</StatePill>
        <StatePill tone="waiting">Processing</StatePill>
        <StatePill tone="warning">Frozen</StatePill>
        <StatePill tone="danger">Refused</StatePill>
      </div>
      <p className="flex flex-col items-end gap-1 wide:max-w-40">
        <span className="text-figure font-semibold">
          <Amount minor={41_290_000n} currency="NGN" />
        </span>
        <Amount minor="500000" currency="NGN" signed />
        <Amount minor="-880" currency="USD" signed />
        <Amount minor="0" currency="NGN" signed />
        <Amount minor="111111111111" currency="NGN" />
        <Amount minor="888888888888" currency="NGN" />
      </p>
      <div className="flex flex-col gap-1">
        {AGES.map((age) => (
          <Time key={age} at={new Date(now.getTime() - age)} now={now} />
        ))}
        <CopyId id="card_8fK2mPq7Lw4Tx9Q" />
        <CopyId id="8fK2mPq7Lw4Tx9Q" what="reference" />
        <span className="flex gap-1">
          <Avatar name="Ada Okafor" />
          <Avatar name="Ọlátúnjí" />
        </span>
      </div>
    </div>
  );
}

export function Lists({ now }: { now: Date }) {
  return (
    <div className="flex flex-col gap-4">
      <Tabs
        label="Parts of links"
        tabs={[
          { href: "?tab=all", label: "All", current: true, count: 204 },
          { href: "?tab=paid", label: "Paid" },
          { href: "?tab=waiting", label: "Waiting" },
          { href: "?tab=returned", label: "Money that went back" },
        ]}
      />
      <LinksTable now={now} count={4} />
      <SkeletonRows count={2} />
      <EmptyState action={<Button variant="primary">Create link</Button>}>Links that you create stand here, newest first.</EmptyState>
    </div>
  );
}
