import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { ButtonLink } from "#components/ui/button.tsx";

/** Shown for a link of a mail that was used already, is too old or is incomplete. */
export function LinkEnded({ action, href }: { action: string; href: string }) {
  return (
    <AuthFrame
      title="This link does not work any more"
      lead="It was used, it is too old, or a newer one was sent. If you copied it, check that it is complete."
    >
      <ButtonLink href={href} variant="primary" wide>
        {action}
      </ButtonLink>
    </AuthFrame>
  );
}
