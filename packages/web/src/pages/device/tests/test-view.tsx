import { Alert, Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { OutputTest } from '@plantroom/contract/api'
import { MAX_REASON } from '@plantroom/contract/fields'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../../api/use-operation.ts'
import { useRelease } from '../../../api/use-release.ts'
import { ErrorNotice } from '../../../parts/notices.tsx'
import { shownValue } from '../../../parts/value.ts'
import { common } from '../../../texts/common.ts'
import { format, formatNumber } from '../../../texts/format.ts'
import { outputTests as texts } from '../../../texts/output-tests.ts'
import { findRow, type RowGroup } from '../rows.ts'
import type { LiveState } from '../use-live-state.ts'
import { describeJudgement, describeResult, stageOf } from './describe-test.ts'

const COLORS = { follows: 'green', opposite: 'red', scale: 'red', unclear: 'orange' } as const

/** A test while it runs, with live values; then its result, and the question whether the equipment moved. */
export function TestView({
  deviceId,
  test,
  groups,
  state,
  onClose,
}: {
  deviceId: string
  test: OutputTest
  groups: readonly RowGroup[]
  state: LiveState
  onClose: () => void
}) {
  const { datapoint, value, meter, judgement, seconds } = test
  const { stage, leftS } = stageOf(test, state.now)
  const unit = findRow(groups, datapoint.id)?.datapoint.unit
  const judged = describeJudgement(test)
  return (
    <Stack>
      <Text fw={600}>{format(texts.running, { name: datapoint.name, value: shownValue(value, unit) })}</Text>
      {stage !== 'done' && (
        <Group gap="xl">
          {[datapoint, ...(meter ? [meter] : [])].map(({ id, name }) => (
            <LiveReading key={id} name={name} row={findRow(groups, id)} />
          ))}
        </Group>
      )}
      {stage === 'held' && (
        <>
          <Progress
            value={100 - (leftS / seconds) * 100}
            aria-label={format(texts.running, { name: datapoint.name, value: shownValue(value, unit) })}
          />
          <Text className="figures">{format(texts.left, { seconds: formatNumber(leftS) })}</Text>
          <StopButton deviceId={deviceId} test={test} />
        </>
      )}
      {stage === 'reading' && <Text>{texts.reading}</Text>}
      {stage === 'unknown' && <Alert color="orange">{texts.waiting}</Alert>}
      {describeResult(test, unit).map(({ text, isGood }) => (
        <Alert key={text} color={isGood ? 'green' : 'red'}>
          {text}
        </Alert>
      ))}
      {judged !== undefined && judgement && <Alert color={COLORS[judgement.verdict]}>{judged}</Alert>}
      <Answer deviceId={deviceId} test={test} onClose={onClose} />
    </Stack>
  )
}

function LiveReading({ name, row }: { name: string; row: RowGroup['rows'][number] | undefined }) {
  return (
    <div>
      <Text size="sm">{format(texts.shows, { name })}</Text>
      <Text fz="xl" className="figures">
        {shownValue(row?.value?.value, row?.datapoint.unit)}
      </Text>
    </div>
  )
}

function StopButton({ deviceId, test }: { deviceId: string; test: OutputTest }) {
  const release = useRelease()
  const stop = useMutation({ mutationFn: () => release(deviceId, test.id, '') })
  return (
    <>
      {stop.error && <ErrorNotice error={stop.error} />}
      <Group>
        <Button color="red.9" onClick={() => stop.mutate()} loading={stop.isPending} disabled={stop.isSuccess}>
          {texts.stop}
        </Button>
      </Group>
    </>
  )
}

/** Asks what a person saw, also while the test runs. */
function Answer({ deviceId, test, onClose }: { deviceId: string; test: OutputTest; onClose: () => void }) {
  const [note, setNote] = useState(test.note ?? '')
  const answer = useChange('answerOutputTest', {
    onSuccess() {
      notifications.show({ message: texts.answered })
      onClose()
    },
  })
  const send = (moved: boolean) => {
    const seen = note.trim()
    answer.mutate({ deviceId, testId: test.id, body: { moved, ...(seen !== '' && { note: seen }) } })
  }
  return (
    <Stack gap="xs" component="fieldset" bd={0} p={0} m={0}>
      <Text component="legend" fw={600}>
        {texts.question}
      </Text>
      <TextInput
        label={texts.note}
        description={texts.noteHint}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        maxLength={MAX_REASON}
      />
      {answer.error && <ErrorNotice error={answer.error} />}
      <Group justify="space-between">
        <Button variant="default" onClick={onClose}>
          {common.close}
        </Button>
        <Group>
          <Button variant="default" onClick={() => send(false)} loading={answer.isPending}>
            {texts.no}
          </Button>
          <Button onClick={() => send(true)} loading={answer.isPending}>
            {texts.yes}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}
