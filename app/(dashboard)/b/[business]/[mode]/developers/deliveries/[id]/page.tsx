import type { Metadata } from "next";
import { LiveRefresh } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { found } from "#app/(dashboard)/_page/found.ts";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { DeliveryDetail } from "#components/developers/delivery-detail.tsx";
import { VERIFY_CODE } from "#components/developers/verify-code.ts";
import { findEndpoint, getDeliveryDetail } from "#services/webhooks/index.ts";
import { deliveryStateOf, eventOf, nextTryOf } from "../to-view.ts";
import { ResendDelivery } from "./resend-delivery.tsx";
import { factsOf, nextOf, signedText, toAttempt } from "./to-view.tsx";

export const metadata: Metadata = { title: "Delivery" };

export default async function DeliveryPage({ params }: PageProps<"/b/[business]/[mode]/developers/deliveries/[id]">) {
  const page = await requireMember(params);
  const closed = closedTo(page, getDeliveryDetail.needs.permission, "Delivery");
  if (closed) return closed;
  const { ctx, base } = page;
  const path = `${base}/developers`;
  const { delivery, requestBody, attempts } = await found(getDeliveryDetail(ctx, (await params).id));
  const endpoint = await findEndpoint(ctx, delivery.endpointId);
  const now = new Date();
  const last = attempts.at(-1);
  const maySend = mayChange(ctx, "webhooks:write") && endpoint?.status === "enabled";
  return (
    <>
      <DeliveryDetail
        backHref={`${path}/deliveries`}
        title={eventOf(delivery)}
        state={deliveryStateOf(delivery)}
        nextTryAt={nextTryOf(delivery, endpoint, now)}
        actions={maySend && <ResendDelivery id={delivery.id} />}
        notice={nextOf(delivery, endpoint, now)}
        attempts={attempts.toReversed().map(toAttempt)}
        hasForgotten={attempts.length < delivery.attemptCount}
        requestBody={requestBody}
        signed={last && { text: signedText(last, requestBody), code: VERIFY_CODE }}
        facts={factsOf(delivery, endpoint, path)}
        now={now}
      />
      <LiveRefresh isWaiting={delivery.status === "pending"} />
    </>
  );
}
