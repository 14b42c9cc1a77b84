import type { ChangeEvent } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { CONTROL, Input } from "#components/ui/input.tsx";

interface LogoFieldProps {
  /** The picture to show, as a `data:` address. Null: the brand has no picture, and payers see the first letter of the name. */
  picture: string | null;
  error: string | undefined;
  onChoose: (file: File) => void;
  onRemove: () => void;
}

/** The logo, with a way to choose another one or none. */
export function LogoField({ picture, error, onChoose, onRemove }: LogoFieldProps) {
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // The value is cleared, so that choosing the same file again is an event too.
    target.value = "";
    if (file) onChoose(file);
  };
  return (
    <div className="flex flex-col gap-2">
      {picture !== null && (
        <div className="flex flex-wrap items-center gap-4">
          <span className="inline-flex min-w-0 max-w-full rounded-control border border-line bg-white p-2">
            {/* biome-ignore lint/performance/noImgElement: it is a data address, which no server makes smaller */}
            <img src={picture} alt="Your logo" className="max-h-10 min-w-0 max-w-full object-contain" />
          </span>
          <Button onClick={onRemove}>Remove logo</Button>
        </div>
      )}
      <Field
        label={picture === null ? "Logo" : "Another logo"}
        name="logo"
        optional
        error={error}
        hint="PNG, JPEG or WebP. It is made small for your customers' phones; wide ones look best."
      >
        {(wiring) => <input {...wiring} type="file" accept="image/png,image/jpeg,image/webp" onChange={choose} className={CONTROL} />}
      </Field>
    </div>
  );
}

interface ColourFieldProps {
  colour: string;
  error: string | undefined;
  onChange: (colour: string) => void;
}

const COLOUR = /^#[0-9a-f]{6}$/i;

/** The brand's colour, chosen or typed. */
export function ColourField({ colour, error, onChange }: ColourFieldProps) {
  const isColour = COLOUR.test(colour);
  return (
    <Field
      label="Colour"
      name="colour"
      error={error ?? (isColour ? undefined : "Enter a colour like #0f766e.")}
      hint="Buttons and lines of the payment page. The text on it turns white or black, so that it can be read."
    >
      {(wiring) => (
        <span className="flex gap-2">
          <input
            type="color"
            aria-label="Choose the colour"
            value={isColour ? colour : "#000000"}
            onChange={({ target }) => onChange(target.value)}
            className="h-11 w-14 shrink-0 cursor-pointer rounded-control border border-control bg-surface p-1 sm:h-9"
          />
          <Input
            {...wiring}
            value={colour}
            onChange={({ target }) => onChange(target.value.trim())}
            maxLength={7}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
        </span>
      )}
    </Field>
  );
}

interface ContactFieldsProps {
  email: string;
  phone: string;
  errors: Record<string, string>;
  onEmail: (email: string) => void;
  onPhone: (phone: string) => void;
}

/** How payers reach the business. */
export function ContactFields({ email, phone, errors, onEmail, onPhone }: ContactFieldsProps) {
  return (
    <>
      <Field
        label="Support email"
        name="support_email"
        optional
        error={errors.supportEmail ?? errors.support_email}
        hint="Customers see it when they pay, and write to it when something is unclear."
      >
        {(wiring) => (
          <Input
            {...wiring}
            type="email"
            value={email}
            onChange={({ target }) => onEmail(target.value)}
            maxLength={254}
            autoComplete="off"
            autoCapitalize="none"
          />
        )}
      </Field>
      <Field
        label="Support phone"
        name="support_phone"
        optional
        error={errors.supportPhone ?? errors.support_phone}
        hint="Also for WhatsApp."
      >
        {(wiring) => (
          <Input {...wiring} type="tel" value={phone} onChange={({ target }) => onPhone(target.value)} maxLength={20} autoComplete="off" />
        )}
      </Field>
    </>
  );
}
