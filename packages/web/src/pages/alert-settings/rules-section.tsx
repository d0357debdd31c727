import { Button, Checkbox, Group, MultiSelect, NumberInput, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import {
  ALERT_KINDS,
  type AlertKind,
  type AlertRule,
  type AlertRules,
  MAX_RECIPIENTS,
} from '@plantroom/contract/alerts'
import { schemaExpression } from '@plantroom/contract/expressions'
import { PERSON_EMAIL } from '@plantroom/contract/patterns'
import { type FormEvent, useState } from 'react'
import { remember, useChange } from '../../api/use-operation.ts'
import { useOrganization } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { alertKinds, alertRules } from '../../texts/alerts.ts'
import { format } from '../../texts/format.ts'

type Recipient = NonNullable<AlertRules['recipients']>[number]

const EMAIL = schemaExpression(PERSON_EMAIL)
const LONGEST_DELAY_S = 86_400

/** The rules of all kinds, and who gets mail, in one form. */
export function RulesSection({ stored }: { stored: AlertRules }) {
  const { orgId } = useOrganization()
  const [rules, setRules] = useState(stored.rules)
  const [who, setWho] = useState(stored.recipients ? 'addresses' : 'admins')
  const [recipients, setRecipients] = useState<readonly Recipient[]>(stored.recipients ?? [])
  const [isTried, setIsTried] = useState(false)
  const isWrong = who === 'addresses' && recipients.some(({ email }) => !EMAIL.test(email.trim()))
  const save = useChange('setAlertRules', { onSuccess: (saved) => remember('getAlertRules', { orgId }, saved) })
  const change = (kind: AlertKind, changes: Partial<AlertRule>) =>
    setRules((before) => ({ ...before, [kind]: { ...before[kind], ...changes } }))

  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsTried(true)
    if (isWrong) return
    const trimmed = recipients.map(({ email, siteIds }) => ({ email: email.trim(), siteIds }))
    save.mutate({ body: { rules, recipients: who === 'admins' ? null : trimmed } })
  }

  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {alertRules.rules}
      </Title>
      <form onSubmit={submit} noValidate>
        <Stack>
          <RuleTable rules={rules} onChange={change} />
          <Radio.Group label={alertRules.recipients} value={who} onChange={setWho}>
            <Stack gap="xs" my={6}>
              <Radio value="admins" label={alertRules.admins} />
              <Radio value="addresses" label={alertRules.addresses} />
            </Stack>
          </Radio.Group>
          {who === 'addresses' && <Recipients list={recipients} onChange={setRecipients} isTried={isTried} />}
          {save.error && <ErrorNotice error={save.error} />}
          <Group>
            <Button type="submit" loading={save.isPending}>
              {alertRules.save}
            </Button>
            {save.isSuccess && <Text role="status">{alertRules.saved}</Text>}
          </Group>
        </Stack>
      </form>
    </section>
  )
}

function RuleTable({
  rules,
  onChange,
}: {
  rules: AlertRules['rules']
  onChange: (kind: AlertKind, changes: Partial<AlertRule>) => void
}) {
  const seconds = (value: number | string) => Math.min(Math.max(Math.round(Number(value) || 0), 0), LONGEST_DELAY_S)
  const delay = (kind: AlertKind, field: 'openAfterSeconds' | 'closeAfterSeconds', label: string) => (
    <NumberInput
      aria-label={label}
      value={rules[kind][field]}
      onChange={(value) => onChange(kind, { [field]: seconds(value) })}
      min={0}
      max={LONGEST_DELAY_S}
      allowDecimal={false}
      disabled={!rules[kind].enabled}
      hideControls
      w={110}
    />
  )
  return (
    <CardTable
      label={alertRules.label}
      rows={ALERT_KINDS}
      keyOf={(kind) => kind}
      columns={[
        { head: alertRules.kind, cell: (kind) => alertKinds[kind] },
        {
          head: alertRules.on,
          cell: (kind) => (
            <Checkbox
              aria-label={format(alertRules.onLabel, { kind: alertKinds[kind] })}
              checked={rules[kind].enabled}
              onChange={(event) => onChange(kind, { enabled: event.currentTarget.checked })}
            />
          ),
        },
        {
          head: alertRules.openAfter,
          cell: (kind) =>
            delay(kind, 'openAfterSeconds', format(alertRules.openAfterLabel, { kind: alertKinds[kind] })),
        },
        {
          head: alertRules.closeAfter,
          cell: (kind) =>
            delay(kind, 'closeAfterSeconds', format(alertRules.closeAfterLabel, { kind: alertKinds[kind] })),
        },
      ]}
    />
  )
}

function Recipients({
  list,
  onChange,
  isTried,
}: {
  list: readonly Recipient[]
  onChange: (list: readonly Recipient[]) => void
  isTried: boolean
}) {
  const { organization } = useOrganization()
  const sites = organization.sites.map(({ id, name }) => ({ value: id, label: name }))
  const changeAt = (at: number, changes: Partial<Recipient>) =>
    onChange(list.map((one, index) => (index === at ? { ...one, ...changes } : one)))
  return (
    <Stack gap="xs" align="flex-start">
      {list.map(({ email, siteIds }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no identity but their place.
        <Group key={index} align="flex-end">
          <TextInput
            type="email"
            label={alertRules.email}
            value={email}
            onChange={(event) => changeAt(index, { email: event.currentTarget.value })}
            error={isTried && !EMAIL.test(email.trim()) && alertRules.badAddress}
            maxLength={255}
            required
          />
          <MultiSelect
            label={alertRules.sites}
            placeholder={siteIds === null ? alertRules.allSites : undefined}
            data={sites}
            value={[...(siteIds ?? [])]}
            onChange={(chosen) => changeAt(index, { siteIds: chosen.length === 0 ? null : chosen })}
            searchable
          />
          <Button
            variant="default"
            aria-label={format(alertRules.removeAddress, { email })}
            onClick={() => onChange(list.filter((_, at) => at !== index))}
          >
            {alertRules.remove}
          </Button>
        </Group>
      ))}
      {list.length < MAX_RECIPIENTS && (
        <Button variant="default" onClick={() => onChange([...list, { email: '', siteIds: null }])}>
          {alertRules.addAddress}
        </Button>
      )}
    </Stack>
  )
}
