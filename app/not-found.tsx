import { AuthFrame } from "#components/ui/auth-frame.tsx";
import { ButtonLink } from "#components/ui/button.tsx";

export const metadata = { title: "Not found" };

/** Shown in place of a page whose record does not exist or is hidden from the reader. Unknown paths are refused by app/[...path]. */
export default function NotFound() {
  return (
    <AuthFrame title="There is nothing here" lead="The address is wrong, it was removed, or you may not see it.">
      <ButtonLink href="/" variant="primary" wide>
        Go to the start
      </ButtonLink>
    </AuthFrame>
  );
}
