import { Alert, Checkbox, Code, Group, List, Stack, Text } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import { type CommissioningChange, changesOf, type FileProblem, keepsHold } from '@plantroom/contract/commissioning'
import { useMemo } from 'react'
import { useSite } from '../../../api/use-site.ts'
import { ErrorNotice, Loading } from '../../../parts/notices.tsx'
import { SmallButton } from '../../../parts/small-button.tsx'
import { fullTime } from '../../../parts/time.ts'
import { capitalized } from '../../../parts/value.ts'
import { commissioning as texts } from '../../../texts/commissioning.ts'
import { format } from '../../../texts/format.ts'
import { ChangesView } from './changes-view.tsx'
import { describeHeld, describeWho, unitsOf } from './describe-change.ts'
import type { Reviewed, useReview } from './use-review.ts'

/** A checked file: its mistakes, or what loading it would change. */
export function Review({
  review,
  lineOf,
}: {
  review: ReturnType<typeof useReview>
  /** The line of a path in the file that a person chose. */
  lineOf?: (path: string) => number | undefined
}) {
  const { check, load } = review
  const again = () => check.variables && review.start(check.variables.file, check.variables.seen)
  const sameEquipment = (isSame: boolean) => {
    if (!check.variables || !check.data) return
    const { sameEquipment: _, ...file } = check.data.file
    review.start(isSame ? { ...file, sameEquipment: true } : file, check.variables.seen)
  }
  if (check.isPending) return <Loading what={texts.checking} />
  if (check.error) return <ErrorNotice error={check.error} retry={again} />
  if (!check.data) return null
  const keep = (isKept: boolean) => {
    if (!check.data) return
    const { keep: _, ...file } = check.data.file
    review.change({ ...check.data, file: isKept ? { ...file, keep: true } : file })
  }
  const { conflict, file } = check.data
  const { problems, warnings, held, device } = check.data.check
  return (
    <Stack>
      {conflict && <ConflictNotice change={conflict} system={check.data.file.technicalSystem} />}
      {problems.length > 0 && (
        <Findings
          color="red"
          title={format(texts.mistakes, { count: problems.length })}
          found={problems}
          lineOf={lineOf}
        />
      )}
      {held.length > 0 && <HeldNotice reviewed={check.data} onCheck={again} onSame={sameEquipment} />}
      {!device.checked && problems.length === 0 && (
        <Alert color="yellow" variant="light" role="status" title={texts.cloudOnly}>
          {format(texts.cloudOnlyBecause, { reason: capitalized(device.reason ?? '') })}
        </Alert>
      )}
      {warnings.length > 0 && (
        <Findings
          color="orange"
          title={format(texts.warnings, { count: warnings.length })}
          found={warnings}
          lineOf={lineOf}
        />
      )}
      {problems.length === 0 && <ReviewedChanges reviewed={check.data} />}
      {problems.length === 0 && held.every((one) => keepsHold(one, file)) && device.checked && (
        <Text size="sm">{texts.checkedByDevice}</Text>
      )}
      {mayGoBack(check.data) && (
        <Checkbox
          label={texts.keep}
          description={texts.keepHint}
          checked={check.data.file.keep === true}
          onChange={(event) => keep(event.currentTarget.checked)}
        />
      )}
      {load.error && <LoadError error={load.error} />}
    </Stack>
  )
}

function ReviewedChanges({ reviewed: { file, check } }: { reviewed: Reviewed }) {
  const changes = useMemo(() => changesOf(check.before ?? undefined, file), [check, file])
  const unitOf = useMemo(() => unitsOf(file, check.before), [check, file])
  return <ChangesView system={file.technicalSystem} changes={changes} unitOf={unitOf} />
}

/** Reports whether the reviewed file can be loaded, and what that does. */
export function outcomeOf(reviewed: Reviewed | undefined): 'none' | 'load' | 'remove' {
  if (!reviewed) return 'none'
  const { file, check } = reviewed
  if (check.problems.length > 0 || check.held.some((held) => !keepsHold(held, file))) return 'none'
  const { system } = changesOf(check.before ?? undefined, file)
  if (system === 'same' || system === 'absent') return 'none'
  return system === 'removed' ? 'remove' : 'load'
}

/** Reports whether the controller may undo the file by itself: it changes connections. */
function mayGoBack(reviewed: Reviewed): boolean {
  if (outcomeOf(reviewed) === 'none') return false
  return changesOf(reviewed.check.before ?? undefined, reviewed.file).connections.length > 0
}

/** Someone else was faster. */
export function ConflictNotice({ change: { at, by }, system }: { change: CommissioningChange; system: string }) {
  const { site } = useSite()
  const title =
    at === null
      ? format(texts.conflictSomeone, { system })
      : format(texts.conflict, { who: describeWho(by), system, time: fullTime(at, site.timeZone) })
  return (
    <Alert color="orange" variant="light" role="alert" title={title}>
      {texts.conflictHint}
    </Alert>
  )
}

function Findings({
  color,
  title,
  found,
  lineOf,
}: {
  color: string
  title: string
  found: readonly FileProblem[]
  lineOf: ((path: string) => number | undefined) | undefined
}) {
  return (
    <Alert color={color} variant="light" role={color === 'red' ? 'alert' : 'status'} title={title}>
      <List size="sm">
        {found.map(({ path, message }) => {
          const line = lineOf?.(path)
          return (
            <List.Item key={`${path} ${message}`}>
              {line !== undefined && (
                <Text span fw={600} size="sm">
                  {format(texts.line, { line })}{' '}
                </Text>
              )}
              {path && <Code>{path}</Code>} {message}
            </List.Item>
          )
        })}
      </List>
    </Alert>
  )
}

/** What is held and would be moved or removed. A person can say that it is the same equipment where that helps. */
function HeldNotice({
  reviewed: { file, check },
  onCheck,
  onSame,
}: {
  reviewed: Reviewed
  onCheck: () => void
  onSame: (isSame: boolean) => void
}) {
  const { held } = check
  const isKept = held.every((one) => keepsHold(one, file))
  const isOffered = held.every((one) => keepsHold(one, { sameEquipment: true }))
  return (
    <Alert
      color={isKept ? 'blue' : 'red'}
      variant="light"
      role={isKept ? 'status' : 'alert'}
      title={isKept ? texts.heldOther : texts.held}
    >
      <List size="sm">
        {held.map((one) => (
          <List.Item key={`${one.connection} ${one.datapoint}`}>{describeHeld(one, file)}</List.Item>
        ))}
      </List>
      {isOffered && (
        <Checkbox
          mt="xs"
          label={texts.sameEquipment}
          description={texts.sameEquipmentHint}
          checked={file.sameEquipment === true}
          onChange={(event) => onSame(event.currentTarget.checked)}
        />
      )}
      {!isKept && (
        <Group mt="xs">
          <Text size="sm">{texts.heldRemedy}</Text>
          <SmallButton onClick={onCheck}>{texts.checkAgain}</SmallButton>
        </Group>
      )}
    </Alert>
  )
}

/** Why nothing was loaded. */
function LoadError({ error }: { error: Error }) {
  if (!(error instanceof ApiError)) return <ErrorNotice error={error} />
  if (error.status === 502) {
    return (
      <Alert color="red" variant="light" role="alert" title={texts.offline}>
        {texts.offlineHint}
      </Alert>
    )
  }
  if (error.status !== 499 && error.status !== 400) return <ErrorNotice error={error} />
  return (
    <Alert color="red" variant="light" role="alert" title={texts.refused}>
      {capitalized(error.message)}
    </Alert>
  )
}
