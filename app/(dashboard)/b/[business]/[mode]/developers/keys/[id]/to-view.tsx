import type { Fact } from "#components/page/facts.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { exactTime, timeText } from "#components/ui/time-text.ts";
import { stateOf } from "#services/api-keys/index.ts";
import type { ApiKey } from "../../to-view.ts";

/** Returns a notice about a key that ends, ended or is paused. Undefined for any other. `path` is that of the developers' pages. */
export function endOf(key: ApiKey, path: string, now: Date) {
  const { expiresAt, pausedAt, replacedBy, revokedAt } = key;
  const successor = replacedBy && <TextLink href={`${path}/keys/${replacedBy}`}>Open the new key</TextLink>;
  switch (stateOf(key)) {
    case "active":
      return expiresAt ? { title: `It ends ${exactTime(expiresAt)}`, text: "Roll it before, or make another key." } : undefined;
    case "rolled":
      return {
        title: `It is replaced, and works until ${expiresAt ? exactTime(expiresAt) : "it is revoked"}`,
        text: (
          <>
            {lastUseOf(key, now)} When your servers use the new key only, revoke this one. {successor}
          </>
        ),
      };
    case "ended":
      return { title: `It ended ${expiresAt ? exactTime(expiresAt) : ""}`, text: <>Requests with it are refused. {successor}</> };
    case "paused":
      return {
        title: `It is paused since ${pausedAt ? exactTime(pausedAt) : "a while"}`,
        text: "Its maker said that somebody else was in the account when it was made. Requests with it are refused. Resume it if you know that it is yours, or revoke it.",
      };
    case "revoked":
      return { title: `It was revoked ${revokedAt ? exactTime(revokedAt) : ""}`, text: <>Requests with it are refused. {successor}</> };
  }
}

/** Returns when and from where a key was used last. */
export const lastUseOf = ({ lastUsedAt, lastUsedAddress }: ApiKey, now: Date): string =>
  lastUsedAt ? `Last used ${timeText(lastUsedAt, now)}${lastUsedAddress ? `, from ${lastUsedAddress}` : ""}.` : "It was never used.";

export const factsOf = ({ id, publicKey, expiresAt, createdAt, lastUsedAt, lastUsedAddress }: ApiKey, maker: string): Fact[] => [
  { label: "Public key", value: <CopyId id={publicKey} what="public key" /> },
  { label: "Made by", value: maker },
  { label: "Created", value: exactTime(createdAt) },
  { label: "Ends", value: expiresAt ? exactTime(expiresAt) : "Never by itself" },
  { label: "Last used", value: lastUsedAt ? exactTime(lastUsedAt) : "Never" },
  { label: "From", value: lastUsedAddress },
  { label: "Id", value: <CopyId id={id} /> },
];
