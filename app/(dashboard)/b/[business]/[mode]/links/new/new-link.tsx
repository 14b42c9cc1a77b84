"use client";

import { useRouter } from "next/navigation";
import { type SyntheticEvent, useState } from "react";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { LINK_FIELDS, type LinkDraft, LinkFields } from "#components/links/link-fields.tsx";
import { PreviewFrame } from "#components/links/preview-frame.tsx";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { toMajorNumber } from "#lib/money.ts";
import { nairaTyped } from "#lib/naira-typed.ts";
import { intentOf, previewOf } from "./draft.ts";

type Create = typeof import("#app/api/v1/checkout/create/route.ts").POST;
type Body = NonNullable<NonNullable<Parameters<typeof call<Create>>[3]>["body"]>;

interface NewLinkProps {
  /** The list of links. */
  linksHref: string;
  mode: "test" | "live";
  draft: LinkDraft;
  /** The link that the draft is from. */
  again: { reference: string; metadata: Record<string, string>; isReplaced: boolean } | undefined;
}

/** Creates a payment link. The page of the link replaces this one in the browser's history, so that "Back" does not lead to the form. */
export function NewLink({ linksHref, mode, draft, again }: NewLinkProps) {
  const router = useRouter();
  const { act, answer, forget, unanswered, problem, isWorking } = useAction({
    name: intentOf(again?.reference),
    send: (caller, body: Body, idempotencyKey) => call<Create>(caller, "POST", "/api/v1/checkout/create", { body, idempotencyKey }),
    onDone: ({ reference }) => router.replace(`${linksHref}/${reference}`),
  });
  const begun = unanswered ? draftOf(unanswered) : draft;
  const [src, setSrc] = useState(() => previewOf(linksHref, draft));
  const isSent = isWorking || answer !== undefined;
  const send = (typed: (field: string) => string) => {
    const given = Object.fromEntries(LINK_FIELDS.slice(1).flatMap((field) => (typed(field).trim() ? [[field, typed(field).trim()]] : [])));
    const amount = nairaTyped(typed("amount"));
    const fromLink = again && {
      ...(Object.keys(again.metadata).length > 0 && { metadata: again.metadata }),
      ...(again.isReplaced && { replaces: again.reference }),
    };
    act({ amount: amount ? toMajorNumber(amount) : 0, ...given, ...fromLink });
  };
  const follow = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    const form = currentTarget.querySelector("form");
    if (form) setSrc(previewOf(linksHref, Object.fromEntries(new FormData(form))));
  };
  const replaces = problem?.errors.replaces;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8 wide:grid-cols-[minmax(0,28rem)_minmax(0,26rem)] wide:gap-12" onInput={follow}>
      <ActionForm
        // Another key remounts the form, so that its fields show the values that were sent before a reload.
        key={unanswered ? "sent" : "new"}
        label="New payment link"
        problem={problem && replaces ? { ...problem, message: replaces } : problem}
        isWorking={isSent}
        fields={LINK_FIELDS}
        onSend={send}
      >
        {(errors) => (
          <>
            {unanswered && !problem && !isSent && <SentBefore onForget={forget} />}
            <LinkFields draft={begun} errors={errors} mode={mode} />
            <div className="flex flex-wrap gap-2 pt-2">
              <Button variant="primary" type="submit" pending={isSent} pendingLabel="Creating…">
                Create link
              </Button>
            </div>
          </>
        )}
      </ActionForm>
      <PreviewFrame src={src} />
    </div>
  );
}

const draftOf = ({ amount, description, customer_name, customer_email, callback_url }: Body): LinkDraft => ({
  ...{ amount: String(amount), description, customer_name, customer_email, callback_url },
});

const SentBefore = ({ onForget }: { onForget: () => void }) => (
  <Notice tone="warning" title="You sent this before, and the answer was lost">
    <p>Press the button again to find out what became of it: it is never done twice.</p>
    <p className="mt-2">
      <Button onClick={onForget}>Begin another link</Button>
    </p>
  </Notice>
);
