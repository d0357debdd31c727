import { NumberInput, PasswordInput, Select, SimpleGrid, TagsInput, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { OPENADR_PROFILES, type OpenadrProfileName, type OpenadrProgram } from '@plantroom/contract/openadr'
import { OPENADR_VERSIONS } from '@plantroom/contract/openadr-profile'
import { useChange } from '../../api/use-operation.ts'
import { useOrganization } from '../../api/use-site.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { DocumentField } from '../../parts/document-field.tsx'
import { type Form, useForm } from '../../parts/use-form.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { openadr } from '../../texts/openadr.ts'
import { blankDraft, bodyOf, draftOf, draftProblems, type ProgramDraft, withProfile } from './program-draft.ts'
import { useOwnProfile } from './use-own-profile.ts'

const texts = openadr.form

/** A form for a new program, or for the connection of a stored one. */
export function ProgramForm({ program, onClose }: { program?: OpenadrProgram; onClose: () => void }) {
  const { organization } = useOrganization()
  const own = useOwnProfile(program?.ownProfile ?? null)
  const finish = {
    onFresh({ name }: OpenadrProgram) {
      notifications.show({ message: format(openadr.saved, { name }), color: 'green' })
      onClose()
    },
  }
  const add = useChange('addOpenadrProgram', finish)
  const change = useChange('changeOpenadrProgram', finish)
  const form = useForm<ProgramDraft>(
    program ? change : add,
    () => (program ? draftOf(program) : blankDraft(organization.name)),
    (draft) => draftProblems(draft, { before: program, ownProfile: own.profile }),
  )

  function send(draft: ProgramDraft): void {
    const body = bodyOf(draft, own.profile)
    const { clientSecret } = draft
    if (!program) add.mutate({ body: { ...body, clientSecret, mapping: { resources: [] } } })
    else change.mutate({ programId: program.id, body: { ...body, ...(clientSecret !== '' && { clientSecret }) } })
  }

  return (
    <DialogForm
      form={form}
      size="lg"
      title={program ? format(texts.editTitle, { name: program.name }) : texts.addTitle}
      action={program ? common.save : texts.submit}
      failed={texts.failed}
      onClose={onClose}
      onSubmit={send}
    >
      <TextInput label={texts.name} description={texts.nameHint} {...form.text('name')} required data-autofocus />
      <ConnectionFields form={form} isStored={program !== undefined} />
      <ProfileFields form={form} own={own} />
      <TextInput label={texts.venName} description={texts.venNameHint} {...form.text('venName')} required />
      <TagsInput
        label={texts.programNames}
        description={texts.programNamesHint}
        placeholder={form.values.programNames.length === 0 ? texts.programNamesAdd : undefined}
        {...form.choice('programNames')}
      />
      <NumberInput
        label={texts.pollSeconds}
        {...form.choice('pollSeconds')}
        clampBehavior="none"
        allowDecimal={false}
        maw={220}
        required
      />
    </DialogForm>
  )
}

function ConnectionFields({ form, isStored }: { form: Form<ProgramDraft>; isStored: boolean }) {
  return (
    <>
      <Title order={3} size="h5">
        {texts.connection}
      </Title>
      <TextInput type="url" label={texts.vtnUrl} description={texts.vtnUrlHint} {...form.text('vtnUrl')} required />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={texts.clientId} {...form.text('clientId')} autoComplete="off" required />
        <PasswordInput
          label={texts.clientSecret}
          description={isStored ? texts.secretKept : texts.secretHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.text('clientSecret')}
          autoComplete="new-password"
          required={!isStored}
          visibilityToggleButtonProps={{ 'aria-label': common.showPassword }}
        />
      </SimpleGrid>
      <Title order={3} size="h5">
        {texts.advanced}
      </Title>
      <TextInput type="url" label={texts.tokenUrl} description={texts.tokenUrlHint} {...form.text('tokenUrl')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={texts.scope} {...form.text('scope')} />
        <TextInput label={texts.audience} {...form.text('audience')} />
      </SimpleGrid>
    </>
  )
}

function ProfileFields({ form, own }: { form: Form<ProgramDraft>; own: ReturnType<typeof useOwnProfile> }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={texts.profile}
          description={texts.profileHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={OPENADR_PROFILES.map((value) => ({ value, label: texts.profiles[value] }))}
          {...form.choice('profile')}
          onChange={(profile) => form.set(withProfile(profile as OpenadrProfileName))}
          allowDeselect={false}
        />
        <Select
          label={texts.version}
          data={OPENADR_VERSIONS.map((value) => ({ value, label: texts.versions[value] }))}
          {...form.choice('version')}
          onChange={(version) => form.set({ version: version as ProgramDraft['version'] })}
          allowDeselect={false}
        />
      </SimpleGrid>
      {form.values.profile === 'own' && (
        <DocumentField
          label={texts.ownProfile}
          description={texts.ownProfileHint}
          text={own.text}
          onChange={own.setText}
          problems={own.problems}
        />
      )}
    </>
  )
}
