import { z } from "zod";
import { invalid, Problem } from "#lib/problem.ts";
import type { Aggregator, Customer, CustomerQuestion } from "#providers/aggregator.ts";
import type { MerchantContext } from "../../context.ts";
import { aggregators } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { getProduct, listRows } from "../catalogue/products.ts";
import type { ProductRow } from "../product.ts";
import { isMeterOf, isSmartCardOf } from "../recipients.ts";
import { notOfThisBroadcaster, notOfThisDisco } from "./buy-product.ts";

export const CustomerObject = z
  .object({
    customer_name: z.string().meta({ example: "NGOZI EZE" }),
    address: z.string().nullable(),
    current_plan: z.string().nullable().meta({ description: "Cable: what the card is subscribed to now, where the provider says it." }),
  })
  .meta({ id: "VtuCustomer" });

export const presentCustomer = ({ name, address, currentPlan }: Customer): z.output<typeof CustomerObject> => ({
  customer_name: name,
  address,
  current_plan: currentPlan,
});

interface CableQuestion {
  productId: number | undefined;
  broadcaster: string | undefined;
  smartCardNumber: string;
}

/**
 * Returns the customer of a smart card. Throws PRODUCT_UNAVAILABLE, PROVIDER_UNAVAILABLE, VALIDATION_ERROR where no customer has the card,
 * and PROVIDER_ERROR where the aggregator does not answer.
 */
export const verifySmartCard = verb(
  { permission: "vtu:read" },
  async (ctx: MerchantContext, { productId, broadcaster, smartCardNumber }: CableQuestion): Promise<Customer> => {
    const aggregator = aggregators.for(ctx.merchant);
    const product =
      productId === undefined ? await anyPlanOf(aggregator, broadcaster) : await getProduct(aggregator.name, "cable", productId);
    if (broadcaster !== undefined && product.brand !== broadcaster.toLowerCase()) {
      throw invalid("provider_name", "This plan is another provider's. Send one of the two.");
    }
    if (!isSmartCardOf(product.brand, smartCardNumber)) throw notOfThisBroadcaster(product.brand);
    const question = { service: "cable", productCode: product.code, recipient: smartCardNumber, variant: null } as const;
    return ask(aggregator, question, () =>
      invalid("smart_card_number", `No customer has this smart card at ${product.brand.toUpperCase()}. Check the number.`),
    );
  },
);

/** Returns any plan of the broadcaster: a smart card is verified without regard to its plan. */
async function anyPlanOf({ name: provider }: Aggregator, brand: string | undefined): Promise<ProductRow> {
  const [plan] = await listRows(provider, { service: "cable", brand });
  if (!plan) throw new Problem("PRODUCT_UNAVAILABLE", "Nothing of this broadcaster is sold now. Read the list of cable plans.");
  return plan;
}

interface MeterQuestion {
  discoId: number;
  meterNumber: string;
  meterType: string;
}

/**
 * Returns the customer of a meter. Throws PRODUCT_UNAVAILABLE, PROVIDER_UNAVAILABLE, VALIDATION_ERROR where no customer has the meter, and
 * PROVIDER_ERROR where the aggregator does not answer.
 */
export const verifyMeter = verb(
  { permission: "vtu:read" },
  async (ctx: MerchantContext, { discoId, meterNumber, meterType }: MeterQuestion): Promise<Customer> => {
    const aggregator = aggregators.for(ctx.merchant);
    const disco = await getProduct(aggregator.name, "electricity", discoId);
    if (!isMeterOf(disco, meterNumber)) throw notOfThisDisco();
    const question = { service: "electricity", productCode: disco.code, recipient: meterNumber, variant: meterType } as const;
    return ask(aggregator, question, () =>
      invalid("meter_number", `No customer has this meter at ${disco.name}. Check the number and the disco.`),
    );
  },
);

async function ask(aggregator: Aggregator, question: CustomerQuestion, notFound: () => Problem): Promise<Customer> {
  const answer = await aggregator.verifyCustomer(question);
  switch (answer.status) {
    case "found":
      return answer.found;
    case "not_found":
      throw notFound();
    case "unknown":
      throw new Problem("PROVIDER_ERROR", "The provider did not answer. Nothing was bought; ask again in a moment.");
  }
}
