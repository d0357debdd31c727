import { Alert, Checkbox, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import type { OperationReply } from '@plantroom/client/client'
import { PERMISSIONS, type Permission } from '@plantroom/contract/permissions'
import { useDevices, useTechnicalSystems } from '../../api/use-devices.ts'
import { useChange } from '../../api/use-operation.ts'
import { useOrganization } from '../../api/use-site.ts'
import { useTaggedSites } from '../../api/use-tagged-sites.ts'
import { CommandLines } from '../../parts/command-lines.tsx'
import { describeLines, exampleOf } from '../../parts/describe-lines.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { CopyField, ShownOnce } from '../../parts/shown-once.tsx'
import { SitePicker } from '../../parts/site-picker.tsx'
import { fromLocalInput } from '../../parts/time.ts'
import { useForm } from '../../parts/use-form.ts'
import { serviceNow } from '../../service-clock.ts'
import { apiLines } from '../../texts/api-lines.ts'
import { format } from '../../texts/format.ts'
import { keys } from '../../texts/keys.ts'
import { describePermission, mayControl, tryLine } from './describe-key.ts'

/** A key whose secret is shown. */
export type NewKey = Pick<OperationReply<'createKey'>, 'name' | 'apiKey' | 'permissions' | 'siteIds'>

const texts = keys.create

const BLANK = { name: '', permissions: [] as Permission[], where: 'all', siteIds: [] as string[], expiry: '' }

/** A form for the name, permissions and sites of a new key. */
export function CreateKey({ onClose, onCreated }: { onClose: () => void; onCreated: (key: NewKey) => void }) {
  const { timeZone } = useOrganization()
  const sites = useTaggedSites()
  const create = useChange('createKey', { onSuccess: onCreated })
  const expiryOf = (expiry: string) => fromLocalInput(expiry, timeZone)
  const form = useForm(create, BLANK, ({ name, permissions, where, siteIds, expiry }) => ({
    name: name === '' && texts.noName,
    permissions: permissions.length === 0 && texts.noPermission,
    siteIds: where === 'some' && siteIds.length === 0 && texts.noSite,
    expiry: expiry !== '' && !((expiryOf(expiry) ?? 0) > serviceNow()) && texts.pastExpiry,
  }))

  function send({ name, permissions, where, siteIds, expiry }: typeof BLANK): void {
    const at = expiryOf(expiry)
    const expiresAt = at === undefined ? null : new Date(at).toISOString()
    create.mutate({ body: { name, permissions, siteIds: where === 'all' ? null : siteIds, expiresAt } })
  }

  return (
    <DialogForm form={form} title={texts.title} action={texts.submit} onClose={onClose} onSubmit={send}>
      <TextInput label={texts.name} description={texts.nameHint} {...form.text('name')} required data-autofocus />
      <Checkbox.Group label={texts.permissions} {...form.choice('permissions')} required>
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
      <Radio.Group label={texts.sites} {...form.choice('where')}>
        <Stack gap="xs" my={6}>
          <Radio value="all" label={texts.all} />
          <Radio value="some" label={texts.some} />
        </Stack>
      </Radio.Group>
      {form.values.where === 'some' && (
        <SitePicker label={texts.which} sites={sites} {...form.choice('siteIds')} required />
      )}
      <TextInput
        type="datetime-local"
        label={texts.expiry}
        description={format(texts.expiryHint, { zone: timeZone })}
        {...form.text('expiry')}
      />
    </DialogForm>
  )
}

const secretTexts = keys.secret

/** The secret of a new key, and a command to try it. */
export function NewKeyView({ apiKey, onClose }: { apiKey: NewKey; onClose: () => void }) {
  const { organization, orgId } = useOrganization()
  const siteId = apiKey.siteIds?.[0] ?? organization.sites[0]?.id
  return (
    <ShownOnce
      title={format(secretTexts.title, { name: apiKey.name })}
      done={secretTexts.done}
      secret={apiKey.apiKey}
      onClose={onClose}
    >
      <Alert color="orange" variant="light" role="status" title={secretTexts.warning} />
      <CopyField label={secretTexts.label} value={apiKey.apiKey} />
      {siteId !== undefined && (
        <>
          <CopyField label={secretTexts.curl} value={tryLine(apiKey, { origin: location.origin, orgId, siteId })} />
          {mayControl(apiKey) && <KeyLines apiKey={apiKey} siteId={siteId} />}
        </>
      )}
    </ShownOnce>
  )
}

/** Commands for a controller of a site of the key, with the key in them: they are not shown again. */
function KeyLines({ apiKey, siteId }: { apiKey: NewKey; siteId: string }) {
  const { orgId } = useOrganization()
  const device = useDevices(siteId).data?.[0]
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
