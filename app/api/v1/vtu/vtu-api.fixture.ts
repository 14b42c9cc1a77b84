import { aMeter, aPhone, aSmartCard, productNamed } from "#services/vtu/vtu.fixture.ts";

export const VTU = "/api/v1/vtu";

/** The ids of products of the sandbox. `letters` is a disco whose meters may have letters. Zero until `readProductIds` has run. */
export const ids = { data: 0, cable: 0, disco: 0, letters: 0, exam: 0 };

/** Fills `ids`. The sandbox's product list must be stored (`aVtuMerchant`). */
export async function readProductIds(): Promise<void> {
  const idOf = async (service: "data" | "cable" | "electricity" | "exam", code: string) =>
    (await productNamed("sandbox", service, code)).id;
  ids.data = await idOf("data", "mtn-sme-1gb-30-days");
  ids.cable = await idOf("cable", "gotv-jolli");
  ids.disco = await idOf("electricity", "ikeja-electric");
  ids.letters = await idOf("electricity", "eko-electric");
  ids.exam = await idOf("exam", "waec-result");
}

export const airtimeBody = (changes: object = {}) => ({ network: "mtn", phone: aPhone(), amount: 100, ...changes });
export const dataBody = (changes: object = {}) => ({ phone: aPhone(), data_plan_id: ids.data, ...changes });
export const cableBody = (changes: object = {}) => ({ cable_plan_id: ids.cable, smart_card_number: aSmartCard(), ...changes });
export const electricityBody = (changes: object = {}) => ({
  disco_id: ids.disco,
  meter_number: aMeter(),
  meter_type: "Prepaid",
  amount: 1_000,
  ...changes,
});
export const examBody = (changes: object = {}) => ({ exam_type_id: ids.exam, quantity: 1, ...changes });

export const bodies = { airtime: airtimeBody, data: dataBody, cable: cableBody, electricity: electricityBody, exam: examBody };
export type Kind = keyof typeof bodies;
