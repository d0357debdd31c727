import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import type { OwnPasskey } from '@plantroom/contract/api'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/service.ts'
import { invalidate, useChange } from '../../api/use-operation.ts'
import { ownTimeZone } from '../../own-time-zone.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { createPasskey, hasPasskeys } from '../../parts/passkey-browser.ts'
import { SmallButton } from '../../parts/small-button.tsx'
import { fullTime } from '../../parts/time.ts'
import { type Sending, useForm } from '../../parts/use-form.ts'
import { factors } from '../../texts/factors.ts'
import { format } from '../../texts/format.ts'

const texts = factors.passkeys

type Asked = { action: 'add' } | { action: 'rename' | 'remove'; passkey: OwnPasskey }

/** The passkeys of the signed-in person. They can add, rename and remove them. */
export function OwnPasskeys({
  passkeys,
  onCodes,
}: {
  passkeys: readonly OwnPasskey[]
  onCodes: (codes: readonly string[]) => void
}) {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const remove = useChange('removePasskey', { onSuccess: close })
  const removed = asked?.action === 'remove' ? asked.passkey : undefined
  return (
    <Stack gap={4} align="flex-start">
      <Title order={3} size="h5">
        {texts.title}
      </Title>
      <Text>{texts.intro}</Text>
      {passkeys.length === 0 ? (
        <Text c="dimmed">{texts.none}</Text>
      ) : (
        <PasskeyTable passkeys={passkeys} onAction={(action, passkey) => setAsked({ action, passkey })} />
      )}
      {hasPasskeys() ? (
        <Button onClick={() => setAsked({ action: 'add' })}>{texts.add}</Button>
      ) : (
        <Text c="dimmed" size="sm">
          {texts.unsupported}
        </Text>
      )}
      {asked?.action === 'add' && <AddPasskey onClose={close} onCodes={onCodes} />}
      {asked?.action === 'rename' && <RenamePasskey passkey={asked.passkey} onClose={close} />}
      <Confirm
        opened={removed !== undefined}
        onClose={close}
        title={format(texts.removeTitle, { name: removed?.name ?? '' })}
        action={texts.remove}
        mutation={remove}
        onConfirm={() => removed && remove.mutate({ passkeyId: removed.id })}
      >
        <Text>{texts.consequence}</Text>
      </Confirm>
    </Stack>
  )
}

function PasskeyTable({
  passkeys,
  onAction,
}: {
  passkeys: readonly OwnPasskey[]
  onAction: (action: 'rename' | 'remove', passkey: OwnPasskey) => void
}) {
  const timeZone = ownTimeZone()
  const action = (passkey: OwnPasskey, kind: 'rename' | 'remove', label: string, name: string) => (
    <SmallButton aria-label={name} onClick={() => onAction(kind, passkey)}>
      {label}
    </SmallButton>
  )
  return (
    <CardTable
      label={texts.label}
      rows={passkeys}
      keyOf={({ id }) => id}
      framed={false}
      columns={[
        { head: texts.name, cell: ({ name }) => name },
        { head: texts.created, cell: ({ createdAt }) => fullTime(createdAt, timeZone) },
        {
          head: texts.lastUsed,
          cell: ({ lastUsedAt }) => (lastUsedAt ? fullTime(lastUsedAt, timeZone) : texts.never),
        },
        {
          head: texts.actions,
          plain: true,
          cell: (passkey) => (
            <Group gap="xs">
              {action(passkey, 'rename', texts.rename, format(texts.renameLabel, { name: passkey.name }))}
              {action(passkey, 'remove', texts.remove, format(texts.removeLabel, { name: passkey.name }))}
            </Group>
          ),
        },
      ]}
    />
  )
}

function AddPasskey({ onClose, onCodes }: { onClose: () => void; onCodes: (codes: readonly string[]) => void }) {
  const add = useMutation({
    mutationFn: async (name: string) => {
      const { options } = await api.startPasskey()
      return api.addPasskey({ body: { name, passkey: await createPasskey(options) } })
    },
    async onSuccess({ recoveryCodes }) {
      onClose()
      if (recoveryCodes) onCodes(recoveryCodes)
      await invalidate('listFactors')
    },
  })
  return (
    <NameForm
      title={texts.add}
      action={texts.add}
      failed={texts.failed}
      sending={{ ...add, operation: 'addPasskey' }}
      onSubmit={(name) => add.mutate(name)}
      onClose={onClose}
    />
  )
}

function RenamePasskey({ passkey, onClose }: { passkey: OwnPasskey; onClose: () => void }) {
  const rename = useChange('renamePasskey', { onFresh: onClose })
  return (
    <NameForm
      title={format(texts.renameLabel, { name: passkey.name })}
      action={texts.rename}
      failed={texts.renameFailed}
      name={passkey.name}
      sending={rename}
      onSubmit={(name) => rename.mutate({ passkeyId: passkey.id, body: { name } })}
      onClose={onClose}
    />
  )
}

function NameForm({
  sending,
  name: initial = '',
  onSubmit,
  ...dialog
}: {
  title: string
  action: string
  failed: string
  name?: string
  sending: Sending
  onSubmit: (name: string) => void
  onClose: () => void
}) {
  const form = useForm(sending, { name: initial })
  return (
    <DialogForm form={form} onSubmit={({ name }) => onSubmit(name)} {...dialog}>
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        {...form.text('name')}
        autoComplete="off"
        data-autofocus
        required
        withAsterisk={false}
      />
    </DialogForm>
  )
}
