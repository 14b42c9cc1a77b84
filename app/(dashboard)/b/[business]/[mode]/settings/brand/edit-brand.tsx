"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "#app/_client/call.ts";
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

/** `kept`: the saved one stays. Null: the saved one is removed. */
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
      <BrandPreview action={previewAction} draft={draft} />
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

/** Saves the picture first, then the rest: each names the version that the one before has made. */
function useSave(savedVersion: number, onPictureSaved: () => void) {
  const router = useRouter();
  const toast = useToast();
  const caller = useCaller();
  const [version, setVersion] = useState(savedVersion);
  const { run, isWorking, problem } = useWork(UNKNOWN);
  const save = (changes: Changes, picture: { blob: Blob } | null) =>
    run(async () => {
      let current = version;
      if (picture) {
        const { data } = await sendFile<Upload>(caller, "/api/dashboard/brand/logo", {
          ...{ type: picture.blob.type, content: picture.blob, query: { version: String(current) } },
        });
        current = data.version;
        setVersion(current);
        onPictureSaved();
      }
      const { data } = await call<Change>(caller, "PATCH", "/api/dashboard/brand", { body: { ...changes, version: current } });
      setVersion(data.version);
      router.refresh();
      toast({ title: "Brand saved", description: "New and open payment pages show it." });
    });
  return { save, isWorking, problem };
}
