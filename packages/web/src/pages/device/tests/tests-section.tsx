import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import type { Device, MeterSign, OutputTest } from '@plantroom/contract/api'
import { useState } from 'react'
import { useOperation } from '../../../api/use-operation.ts'
import { CardTable } from '../../../parts/card-table.tsx'
import type { When } from '../../../parts/describe-hold.ts'
import { Empty, QueryView } from '../../../parts/notices.tsx'
import { SmallButton } from '../../../parts/small-button.tsx'
import { fullTime } from '../../../parts/time.ts'
import { shownValue } from '../../../parts/value.ts'
import { format } from '../../../texts/format.ts'
import { outputTests as texts } from '../../../texts/output-tests.ts'
import { findRow, type RowGroup } from '../rows.ts'
import type { LiveState } from '../use-live-state.ts'
import { describeJudgement, readingsOf, stageOf, type TestChoice } from './describe-test.ts'
import { TestModal } from './test-modal.tsx'

const LOOK_MS = 2_000

/** The tests of outputs of a controller, and what its meters still need. For people who manage the site. */
export function TestsSection({
  device,
  groups,
  state,
  when,
}: {
  device: Device
  groups: readonly RowGroup[]
  state: LiveState
  when: When
}) {
  const [opened, setOpened] = useState<TestChoice | { testId: string }>()
  const isWaiting = (test: OutputTest) => ['held', 'reading'].includes(stageOf(test, when.now).stage)
  const query = useOperation(
    'listOutputTests',
    { deviceId: device.id, query: {} },
    { refetchInterval: ({ state }) => (state.data?.tests.some(isWaiting) ? LOOK_MS : false) },
  )
  const unitOf = (datapointId: string) => findRow(groups, datapointId)?.datapoint.unit

  return (
    <Stack component="section" gap="sm" aria-labelledby="tests">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h3" id="tests">
            {texts.title}
          </Title>
          <Text c="dimmed">{texts.hint}</Text>
        </div>
        <Button variant="default" onClick={() => setOpened({})}>
          {texts.open}
        </Button>
      </Group>
      <QueryView query={query}>
        {({ tests, meters }) => (
          <>
            {meters.map((sign) => (
              <SignNotice key={sign.technicalSystemId} sign={sign} when={when} onTest={setOpened} />
            ))}
            {tests.length === 0 ? (
              <Empty title={texts.none}>{texts.noneHint}</Empty>
            ) : (
              <TestList tests={tests} unitOf={unitOf} when={when} onOpen={(testId) => setOpened({ testId })} />
            )}
          </>
        )}
      </QueryView>
      {opened && (
        <TestModal
          device={device}
          groups={groups}
          meters={query.data?.meters ?? []}
          tests={query.data?.tests ?? []}
          opened={opened}
          state={state}
          onStarted={(testId) => setOpened({ testId })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Stack>
  )
}

/** Asks for a test while none has confirmed the sign of a meter. */
function SignNotice({ sign, when, onTest }: { sign: MeterSign; when: When; onTest: (choice: TestChoice) => void }) {
  const { meter, confirmedAt, loads } = sign
  if (confirmedAt !== null) {
    const time = fullTime(confirmedAt, when.timeZone)
    return <Text size="sm">{format(texts.confirmed, { meter: meter.name, time })}</Text>
  }
  return (
    <Alert color="orange" title={format(texts.unconfirmed, { meter: meter.name })}>
      <Stack gap="xs">
        <Text size="sm">{texts.unconfirmedHint}</Text>
        <Group gap="xs">
          {loads.map(({ id, name }) => (
            <SmallButton key={id} onClick={() => onTest({ datapointId: id, meterId: meter.id })}>
              {format(texts.testLoad, { load: name })}
            </SmallButton>
          ))}
        </Group>
      </Stack>
    </Alert>
  )
}

function TestList({
  tests,
  unitOf,
  when,
  onOpen,
}: {
  tests: readonly OutputTest[]
  unitOf: (datapointId: string) => string | undefined
  when: When
  onOpen: (testId: string) => void
}) {
  const { columns } = texts
  return (
    <CardTable
      label={texts.title}
      rows={tests}
      keyOf={({ id }) => id}
      columns={[
        {
          head: columns.output,
          name: true,
          cell: ({ datapoint, value, seconds }) => (
            <>
              <Text fw={600}>{datapoint.name}</Text>
              <Text size="sm">{format(texts.for, { value: shownValue(value, unitOf(datapoint.id)), seconds })}</Text>
            </>
          ),
        },
        {
          head: columns.time,
          cell: ({ startedAt, by }) => (
            <>
              <Text size="sm">{fullTime(startedAt, when.timeZone)}</Text>
              {by !== null && <Text size="sm">{format(texts.by, { name: by })}</Text>}
            </>
          ),
        },
        { head: columns.readings, cell: (test) => readingsOf(test, 'value', unitOf(test.datapoint.id)) },
        {
          head: columns.meter,
          cell: (test) => {
            if (!test.meter) return '–'
            return describeJudgement(test) ?? `${test.meter.name}: ${readingsOf(test, 'meter', unitOf(test.meter.id))}`
          },
        },
        {
          head: columns.moved,
          cell: (test) => (
            <Stack gap={4} align="flex-start">
              <Moved test={test} />
              <SmallButton
                aria-label={format(texts.answerLabel, { name: test.datapoint.name })}
                onClick={() => onOpen(test.id)}
              >
                {texts.answer}
              </SmallButton>
            </Stack>
          ),
        },
      ]}
    />
  )
}

function Moved({ test: { moved, note } }: { test: OutputTest }) {
  if (moved === null) return <Text size="sm">{texts.unanswered}</Text>
  return (
    <>
      <Badge variant="dot" color={moved ? 'green' : 'red'}>
        {moved ? texts.yes : texts.no}
      </Badge>
      {note !== null && <Text size="sm">{note}</Text>}
    </>
  )
}
