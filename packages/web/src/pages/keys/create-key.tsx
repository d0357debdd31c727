import { Alert, Checkbox, MultiSelect, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import type { OperationReply } from '@plantroom/client/client'
import { PERMISSIONS, type Permission } from '@plantroom/contract/permissions'
import { type FormEvent, useState } from 'react'
import { useDevices, useTechnicalSystems } from '../../api/use-devices.ts'
import { useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { CommandLines } from '../../parts/command-lines.tsx'
import { describeLines, exampleOf } from '../../parts/describe-lines.ts'
import { FormEnd, Modal } from '../../parts/dialogs.tsx'
import { CopyField, ShownOnce } from '../../parts/shown-once.tsx'
import { fromLocalInput } from '../../parts/time.ts'
import { serviceNow } from '../../service-clock.ts'
import { apiLines } from '../../texts/api-lines.ts'
import { format } from '../../texts/format.ts'
import { keys } from '../../texts/keys.ts'
import { describePermission, mayControl, tryLine } from './describe-key.ts'

/** A key whose secret is shown. */
export type NewKey = Pick<OperationReply<'createKey'>, 'name' | 'apiKey' | 'permissions' | 'siteIds'>

const texts = keys.create

/** A form for the name, permissions and sites of a new key. */
export function CreateKey({ onClose, onCreated }: { onClose: () => void; onCreated: (key: NewKey) => void }) {
  const { organization, site } = useSite()
  const [name, setName] = useState('')
  const [permissions, setPermissions] = useState<Permission[]>([])
  const [where, setWhere] = useState('all')
  const [siteIds, setSiteIds] = useState<string[]>([])
  const [expiry, setExpiry] = useState('')
  const [isTried, setIsTried] = useState(false)
  const expiresAt = fromLocalInput(expiry, site.timeZone)
  const create = useChange('createKey', { onSuccess: onCreated })
  const errors = {
    name: name.trim() === '' && texts.noName,
    permissions: permissions.length === 0 && texts.noPermission,
    sites: where === 'some' && siteIds.length === 0 && texts.noSite,
    expiry: expiry !== '' && !(expiresAt !== undefined && expiresAt > serviceNow()) && texts.pastExpiry,
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsTried(true)
    if (Object.values(errors).some(Boolean)) return
    create.mutate({
      body: {
        name: name.trim(),
        permissions,
        siteIds: where === 'all' ? null : siteIds,
        expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
      },
    })
  }

  return (
    <Modal opened onClose={onClose} title={texts.title}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            maxLength={255}
            data-autofocus
            error={isTried && errors.name}
          />
          <PermissionsField value={permissions} onChange={setPermissions} error={isTried && errors.permissions} />
          <Radio.Group label={texts.sites} value={where} onChange={setWhere}>
            <Stack gap="xs" my={6}>
              <Radio value="all" label={texts.all} />
              <Radio value="some" label={texts.some} />
            </Stack>
          </Radio.Group>
          {where === 'some' && (
            <MultiSelect
              label={texts.which}
              data={organization.sites.map(({ id, name: label }) => ({ value: id, label }))}
              value={siteIds}
              onChange={setSiteIds}
              searchable
              required
              error={isTried && errors.sites}
            />
          )}
          <TextInput
            type="datetime-local"
            label={texts.expiry}
            description={format(texts.expiryHint, { zone: site.timeZone })}
            value={expiry}
            onChange={(event) => setExpiry(event.currentTarget.value)}
            error={isTried && errors.expiry}
          />
          <FormEnd mutation={create} action={texts.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

function PermissionsField({
  value,
  onChange,
  error,
}: {
  value: Permission[]
  onChange: (permissions: Permission[]) => void
  error: string | false
}) {
  return (
    <Checkbox.Group label={texts.permissions} value={value} onChange={onChange} required error={error}>
      <Stack gap="xs" my={6}>
        {PERMISSIONS.map((permission) => (
          <Checkbox
            key={permission}
            value={permission}
            label={describePermission(permission)}
            description={keys.permissionHint[permission]}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

const secretTexts = keys.secret

/** The secret of a new key, and a command to try it. */
export function NewKeyView({ apiKey, onClose }: { apiKey: NewKey; onClose: () => void }) {
  const { orgId, siteId } = useSite()
  return (
    <ShownOnce
      title={format(secretTexts.title, { name: apiKey.name })}
      done={secretTexts.done}
      secret={apiKey.apiKey}
      onClose={onClose}
    >
      <Alert color="orange" variant="light" role="status" title={secretTexts.warning} />
      <CopyField label={secretTexts.label} value={apiKey.apiKey} />
      <CopyField label={secretTexts.curl} value={tryLine(apiKey, { origin: location.origin, orgId, siteId })} />
      {mayControl(apiKey) && (apiKey.siteIds?.includes(siteId) ?? true) && <KeyLines apiKey={apiKey} />}
    </ShownOnce>
  )
}

/** Commands for a controller of this site, with the key in them: they are not shown again. */
function KeyLines({ apiKey }: { apiKey: NewKey }) {
  const { orgId } = useSite()
  const device = useDevices().data?.[0]
  const example = exampleOf(useTechnicalSystems(device?.id).data ?? [])
  if (!device || !example) return null
  const { connection, datapoint } = example
  const about = { orgId, deviceId: device.id, connectionId: connection.id }
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {format(apiLines.withKey, { name: device.name })}
      </Title>
      <Text size="sm" c="dimmed">
        {apiLines.controls}
      </Text>
      <CommandLines
        lines={describeLines({ ...about, datapoint }, { origin: location.origin, apiKey: apiKey.apiKey })}
      />
    </Stack>
  )
}
