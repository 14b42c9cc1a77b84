import type { z } from "zod";
import { isoOrNull } from "#lib/time.ts";
import type { AreaRequestObject, BrandObject } from "./contract.ts";
import type { AreaState } from "./find-area-state.ts";
import type { Business } from "./read-businesses.ts";

export const presentAreaState = ({ area, isOn, requestedAt }: AreaState): z.output<typeof AreaRequestObject> => ({
  area,
  is_on: isOn,
  requested_at: isoOrNull(requestedAt),
});

export const presentBrand = ({ brandVersion, brandColour, logo, supportEmail, supportPhone }: Business): z.output<typeof BrandObject> => ({
  ...{ version: brandVersion, colour: brandColour, has_logo: logo !== null },
  ...{ support_email: supportEmail, support_phone: supportPhone },
});
