import { Button, Checkbox, Group, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { ALERT_KINDS, type AlertKind, type AlertRule, type AlertRules } from '@plantroom/contract/alerts'
import { type FormEvent, useState } from 'react'
import { remember, useChange } from '../../api/use-operation.ts'
import { useSendsMail } from '../../api/use-set-up.ts'
import { useOrganization } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { alertKinds, alertRules } from '../../texts/alerts.ts'
import { format } from '../../texts/format.ts'
import { delayText, readDelay } from './delay-text.ts'
import { isAddress, type Recipient, RecipientsFields } from './recipients-fields.tsx'
import { TestMail } from './test-mail.tsx'

const LONGEST_DELAY_S = 86_400

/** A rule with its delays as they are typed. */
interface TypedRule {
  enabled: boolean
  openAfter: string
  closeAfter: string
}
type TypedRules = Readonly<Record<AlertKind, TypedRule>>

const typed = byKind(({ enabled, openAfterSeconds, closeAfterSeconds }: AlertRule) => ({
  enabled,
  openAfter: delayText(openAfterSeconds),
  closeAfter: delayText(closeAfterSeconds),
}))

const stored = byKind(({ enabled, openAfter, closeAfter }: TypedRule) => ({
  enabled,
  openAfterSeconds: readDelay(openAfter) ?? 0,
  closeAfterSeconds: readDelay(closeAfter) ?? 0,
}))

function byKind<From, To>(convert: (rule: From) => To) {
  return (rules: Readonly<Record<AlertKind, From>>) =>
    Object.fromEntries(ALERT_KINDS.map((kind) => [kind, convert(rules[kind])])) as Record<AlertKind, To>
}

const isDelay = (text: string) => (readDelay(text) ?? Number.POSITIVE_INFINITY) <= LONGEST_DELAY_S

/** The rules of all kinds, and who gets mail, in one form. */
export function RulesSection({ stored: loaded }: { stored: AlertRules }) {
  const { orgId } = useOrganization()
  const sendsMail = useSendsMail()
  const [rules, setRules] = useState<TypedRules>(() => typed(loaded.rules))
  const [who, setWho] = useState(loaded.recipients ? 'addresses' : 'admins')
  const [recipients, setRecipients] = useState<readonly Recipient[]>(loaded.recipients ?? [])
  const [isTried, setIsTried] = useState(false)
  const isWrong =
    Object.values(rules).some(({ openAfter, closeAfter }) => !isDelay(openAfter) || !isDelay(closeAfter)) ||
    (who === 'addresses' && recipients.some(({ email }) => !isAddress(email)))
  const save = useChange('setAlertRules', {
    onSuccess(saved) {
      setRules(typed(saved.rules))
      remember('getAlertRules', { orgId }, saved)
    },
  })
  const change = (kind: AlertKind, changes: Partial<TypedRule>) =>
    setRules((before) => ({ ...before, [kind]: { ...before[kind], ...changes } }))

  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsTried(true)
    if (isWrong) return
    const trimmed = recipients.map(({ email, siteIds }) => ({ email: email.trim(), siteIds }))
    save.mutate({ body: { rules: stored(rules), recipients: who === 'admins' ? null : trimmed } })
  }

  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {alertRules.rules}
      </Title>
      <form onSubmit={submit} noValidate>
        <Stack>
          <RuleTable rules={rules} onChange={change} />
          <TestMail />
          <Radio.Group
            label={sendsMail ? alertRules.recipients : alertRules.mail.recipientsLater}
            value={who}
            onChange={setWho}
          >
            <Stack gap="xs" my={6}>
              <Radio value="admins" label={alertRules.admins} />
              <Radio value="addresses" label={alertRules.addresses} />
            </Stack>
          </Radio.Group>
          {who === 'addresses' && <RecipientsFields list={recipients} onChange={setRecipients} isTried={isTried} />}
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
  rules: TypedRules
  onChange: (kind: AlertKind, changes: Partial<TypedRule>) => void
}) {
  const delay = (kind: AlertKind, field: 'openAfter' | 'closeAfter', label: string) => (
    <TextInput
      aria-label={label}
      value={rules[kind][field]}
      onChange={(event) => onChange(kind, { [field]: event.currentTarget.value })}
      error={!isDelay(rules[kind][field]) && alertRules.badDelay}
      disabled={!rules[kind].enabled}
      maxLength={30}
      w={130}
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
          cell: (kind) => delay(kind, 'openAfter', format(alertRules.openAfterLabel, { kind: alertKinds[kind] })),
        },
        {
          head: alertRules.closeAfter,
          cell: (kind) => delay(kind, 'closeAfter', format(alertRules.closeAfterLabel, { kind: alertKinds[kind] })),
        },
      ]}
    />
  )
}
