import { Badge, Button, Group, List, Stack, Text } from '@mantine/core'
import type { OpenadrCheck, OpenadrProgram } from '@plantroom/contract/openadr'
import { useChange } from '../../api/use-operation.ts'
import { useOrganization } from '../../api/use-site.ts'
import { Modal } from '../../parts/dialogs.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { fullTime } from '../../parts/time.ts'
import { sentence } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { openadr } from '../../texts/openadr.ts'
import classes from './openadr.module.css'

const texts = openadr.check

const COLORS = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'gray' } as const

/** Checks the connection to a VTN, and shows each step with what to ask its operator. The last check is shown first. */
export function CheckConnection({ program, onClose }: { program: OpenadrProgram; onClose: () => void }) {
  const change = useChange('checkOpenadrProgram')
  const check = change.data ?? program.lastCheck
  return (
    <Modal opened onClose={onClose} size="lg" title={format(texts.title, { name: program.name })}>
      <Stack>
        <Text size="sm">{texts.hint}</Text>
        {change.isPending ? (
          <Loading what={texts.running} />
        ) : change.error ? (
          <ErrorNotice error={change.error} />
        ) : (
          check && <Steps check={check} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.close}
          </Button>
          <Button
            onClick={() => change.mutate({ programId: program.id })}
            loading={change.isPending}
            data-autofocus={check === null || undefined}
          >
            {check ? texts.again : openadr.check.button}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Steps({ check: { at, ok, steps } }: { check: OpenadrCheck }) {
  const { timeZone } = useOrganization()
  return (
    <Stack gap="xs">
      <div role="status">
        <Text fw={600} c={ok ? undefined : 'var(--mantine-color-error)'}>
          {ok ? texts.works : texts.fails}
        </Text>
        <Text size="sm" c="dimmed">
          {format(texts.at, { time: fullTime(at, timeZone) })}
        </Text>
      </div>
      <List listStyleType="none" withPadding={false} spacing="sm" aria-label={texts.list}>
        {steps.map(({ step, state, message, ask }) => (
          <List.Item key={step} className={classes.wrap}>
            <Group gap="xs">
              <Text fw={600}>{texts.steps[step]}</Text>
              <Badge variant="light" color={COLORS[state]} radius="sm">
                {texts.states[state]}
              </Badge>
            </Group>
            <Text size="sm">{sentence(message)}</Text>
            {ask !== null && (
              <Text size="sm" fw={500}>
                {format(texts.ask, { what: sentence(ask) })}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
