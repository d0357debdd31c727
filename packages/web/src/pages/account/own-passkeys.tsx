import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import type { OwnPasskey } from '@plantroom/contract/api'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/service.ts'
import { invalidate, useChange } from '../../api/use-operation.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Confirm, FormEnd, Modal } from '../../parts/dialogs.tsx'
import { createPasskey, hasPasskeys } from '../../parts/passkey-browser.ts'
import { ownTimeZone } from '../../parts/selects.tsx'
import { fullTime } from '../../parts/time.ts'
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
    <Button size="xs" variant="default" aria-label={name} onClick={() => onAction(kind, passkey)}>
      {label}
    </Button>
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
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: async () => {
      const { options } = await api.startPasskey()
      return api.addPasskey({ body: { name: name.trim(), passkey: await createPasskey(options) } })
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
      name={name}
      onName={setName}
      mutation={add}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    />
  )
}

function RenamePasskey({ passkey, onClose }: { passkey: OwnPasskey; onClose: () => void }) {
  const [name, setName] = useState(passkey.name)
  const rename = useChange('renamePasskey', { onSuccess: onClose })
  return (
    <NameForm
      title={format(texts.renameLabel, { name: passkey.name })}
      action={texts.rename}
      failed={texts.renameFailed}
      name={name}
      onName={setName}
      mutation={rename}
      onSubmit={() => rename.mutate({ passkeyId: passkey.id, body: { name: name.trim() } })}
      onClose={onClose}
    />
  )
}

function NameForm({
  title,
  action,
  failed,
  name,
  onName,
  mutation,
  onSubmit,
  onClose,
}: {
  title: string
  action: string
  failed: string
  name: string
  onName: (name: string) => void
  mutation: { isPending: boolean; error: Error | null }
  onSubmit: () => void
  onClose: () => void
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!mutation.isPending) onSubmit()
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            value={name}
            onChange={(event) => onName(event.currentTarget.value)}
            maxLength={255}
            autoComplete="off"
            data-autofocus
            required
            withAsterisk={false}
          />
          <FormEnd mutation={mutation} action={action} onCancel={onClose} failed={failed} />
        </Stack>
      </form>
    </Modal>
  )
}
