import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { SubmitButton } from "#components/ui/submit-button.tsx";

export function NoBusiness() {
  return (
    <AuthFrame title="You are in no business" lead="You are not a member of any business any more. Ask its owner to invite you again.">
      <form method="post" action="/sign-out">
        <SubmitButton wide variant="quiet" pendingLabel="Signing out…">
          Sign out
        </SubmitButton>
      </form>
    </AuthFrame>
  );
}
