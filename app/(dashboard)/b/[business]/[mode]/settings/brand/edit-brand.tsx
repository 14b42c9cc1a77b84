"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { call, Refused } from "#app/_client/call.ts";
import { useCaller } from "#app/_client/provider.tsx";
import { sendFile } from "#app/_client/send-file.ts";
import { dataUrlOf, shrinkPicture } from "#app/_client/shrink-picture.ts";
import { NotDone, useWork } from "#app/_client/use-work.ts";
import { ColourField, ContactFields, LogoField } from "#components/settings/brand-fields.tsx";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { BrandPreview } from "./brand-preview.tsx";

type Change = typeof import("#app/api/dashboard/brand/route.ts").PATCH;
type Upload = typeof import("#app/api/dashboard/brand/logo/route.ts").POST;

/** A brand as it is saved. */
export interface SavedBrand {
  version: number;
  colour: string;
  supportEmail: string;
  supportPhone: string;
  /** A `data:` address, or null. */
  logo: string | null;
}

/** `kept`: the saved picture stays. Null: the saved picture is removed. */
type Picture = "kept" | null | { url: string; blob: Blob };

const UNKNOWN = "There was no answer, so we do not know whether this was saved. Press the button again to find out.";

/** Changes the brand, beside a preview of it. What is typed stays when saving fails. */
export function EditBrand({ saved, previewAction }: { saved: SavedBrand; previewAction: string }) {
  const [colour, setColour] = useState(saved.colour);
  const [email, setEmail] = useState(saved.supportEmail);
  const [phone, setPhone] = useState(saved.supportPhone);
  const { picture, choose, remove, keep, wrong } = usePicture();
  const { save, isWorking, problem } = useSave(saved.version, keep);
  const shown = picture === "kept" ? saved.logo : (picture?.url ?? null);
  const draft = {
    ...{ colour, support_email: email, support_phone: phone },
    logo: picture === "kept" ? "" : (picture?.url ?? "none"),
  };
  const isSaved =
    shown === saved.logo && colour === saved.colour && email.trim() === saved.supportEmail && phone.trim() === saved.supportPhone;
  const send = () => {
    const contacts = { support_email: email.trim() || null, support_phone: phone.trim() || null };
    void save({ colour, ...contacts, ...(picture === null && { logo: null }) }, picture === "kept" ? null : picture);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8 wide:grid-cols-[minmax(0,28rem)_minmax(0,26rem)] wide:gap-12">
      <ActionForm
        label="Brand"
        isWorking={isWorking}
        problem={problem}
        fields={["colour", "logo", "supportEmail", "supportPhone"]}
        onSend={send}
      >
        {(errors) => (
          <>
            <LogoField picture={shown} error={wrong ?? errors.logo} onChoose={choose} onRemove={remove} />
            <ColourField colour={colour} error={errors.colour} onChange={setColour} />
            <ContactFields email={email} phone={phone} errors={errors} onEmail={setEmail} onPhone={setPhone} />
            <div className="flex flex-wrap gap-2 pt-2">
              <Button variant="primary" type="submit" pending={isWorking} pendingLabel="Saving…">
                Save brand
              </Button>
            </div>
          </>
        )}
      </ActionForm>
      <BrandPreview action={previewAction} draft={draft} isSaved={isSaved} />
    </div>
  );
}

/** The picture that is chosen and not saved yet. */
function usePicture() {
  const [picture, setPicture] = useState<Picture>("kept");
  const [wrong, setWrong] = useState<string>();
  const choose = async (file: File) => {
    try {
      const blob = await shrinkPicture(file);
      setPicture({ blob, url: await dataUrlOf(blob) });
      setWrong(undefined);
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      setWrong(error.message);
    }
  };
  return {
    ...{ picture, wrong, keep: () => setPicture("kept") },
    choose: (file: File) => void choose(file),
    remove: () => setPicture(null),
  };
}

interface Changes {
  colour: string;
  support_email: string | null;
  support_phone: string | null;
  logo?: null;
}

/** One request. Returns the version of the brand after it. */
type Step = () => Promise<number>;

/**
 * Saves the colour and the contacts first, then the picture: a wrong contact is refused before a new picture is kept. Each request names the
 * version that the previous one has made. A request without an answer is first sent again, unchanged. The server then recognises the
 * member's own change, and does not report a conflict with another member.
 */
function useSave(savedVersion: number, onPictureSaved: () => void) {
  const router = useRouter();
  const toast = useToast();
  const caller = useCaller();
  const [version, setVersion] = useState(savedVersion);
  const { run, isWorking, problem } = useWork(UNKNOWN);
  const unanswered = useRef<Step>(undefined);
  const savedBlob = useRef<Blob>(undefined);
  const take = async (step: Step) => {
    unanswered.current = step;
    try {
      const made = await step();
      unanswered.current = undefined;
      setVersion(made);
      return made;
    } catch (error) {
      if (error instanceof Refused && error.outcome === "not_executed") unanswered.current = undefined;
      throw error;
    }
  };
  const change = async (changes: Changes, from: number) => {
    const { data } = await call<Change>(caller, "PATCH", "/api/dashboard/brand", { body: { ...changes, version: from } });
    return data.version;
  };
  const upload = async (blob: Blob, from: number) => {
    const sent = { type: blob.type, content: blob, query: { version: String(from) } };
    const { data } = await sendFile<Upload>(caller, "/api/dashboard/brand/logo", sent);
    savedBlob.current = blob;
    return data.version;
  };
  const save = (changes: Changes, picture: { blob: Blob } | null) =>
    run(async () => {
      const before = unanswered.current ? await take(unanswered.current) : version;
      const changed = await take(() => change(changes, before));
      if (picture && picture.blob !== savedBlob.current) await take(() => upload(picture.blob, changed));
      if (picture) onPictureSaved();
      router.refresh();
      toast({ title: "Brand saved", description: "New and open payment pages show it." });
    });
  return { save, isWorking, problem };
}
