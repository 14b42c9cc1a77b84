import type { z } from "zod";
import { qrPath } from "#lib/qr-path.ts";
import { isoOrNull } from "#lib/time.ts";
import type { PasskeyObject, TotpSecretObject, TwoFactorObject } from "../contract.ts";
import type { Passkey } from "../factors/passkey.ts";
import type { TotpSecret } from "../factors/totp.ts";
import type { TwoFactor } from "./get-two-factor.ts";

/** Returns the dashboard's object of a passkey. */
export const presentPasskey = ({ id, name, createdAt, lastUsedAt }: Passkey): z.output<typeof PasskeyObject> => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: isoOrNull(lastUsedAt),
});

/** Returns the dashboard's object of a person's second factors. */
export const presentTwoFactor = ({ isTotpOn, recoveryCodesLeft, passkeys }: TwoFactor): z.output<typeof TwoFactorObject> => ({
  is_totp_on: isTotpOn,
  recovery_codes_left: recoveryCodesLeft,
  passkeys: passkeys.map(presentPasskey),
});

/** Returns the dashboard's object of a new secret, with its QR code, so that no code of a page has to draw one. */
export const presentTotpSecret = ({ secret, uri }: TotpSecret): z.output<typeof TotpSecretObject> => ({ secret, uri, qr: qrPath(uri) });
