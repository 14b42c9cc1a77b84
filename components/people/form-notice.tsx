import { Notice } from "#components/ui/notice.tsx";
import type { FormSays } from "./form-says.ts";

/** The message about the whole form, not about one field. It takes the focus, so that screen readers say it first. */
export function FormNotice({ says: { notice, errors } }: { says: FormSays }) {
  // The token of a link is in a hidden field.
  const error = errors[""] ?? errors.token;
  if (error !== undefined)
    return (
      <Notice tone="danger" takesFocus>
        {error}
      </Notice>
    );
  if (!notice) return null;
  return (
    <Notice tone={notice.kind} takesFocus>
      {notice.text}
    </Notice>
  );
}
