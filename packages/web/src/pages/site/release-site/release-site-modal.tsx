import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useRelease } from '../../../api/use-release.ts'
import { describeError } from '../../../parts/describe-error.ts'
import { Modal } from '../../../parts/dialogs.tsx'
import { ReasonInput } from '../../../parts/release/release-modal.tsx'
import { listed, shownValue } from '../../../parts/value.ts'
import { common } from '../../../texts/common.ts'
import { release as releaseTexts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import { site as siteTexts, releaseSite as texts } from '../../../texts/site.ts'
import type { ControllerPlan, PlannedRelease, SitePlan } from './plan.ts'
import { type ControllerProgress, notStarted, remaining, runRelease } from './run.ts'

/** Releases everything at a site: what it does, how far it is, and what it could not do. */
export function ReleaseSiteModal({ latest, onClose }: { latest: SitePlan; onClose: () => void }) {
  const release = useRelease()
  const [reason, setReason] = useState('')
  // The plan that was confirmed. Before that, the page keeps it current.
  const [confirmed, setConfirmed] = useState<SitePlan>()
  const [progress, setProgress] = useState<ReadonlyMap<string, ControllerProgress>>(new Map())
  const plan = confirmed ?? latest
  const all = plan.controllers.map((each) => progress.get(each.deviceId) ?? notStarted(each))
  const isOver = confirmed !== undefined && all.every((each) => each.isOver)
  const failed = remaining(all)

  function start(controllers: readonly ControllerPlan[]) {
    setConfirmed({ ...plan, controllers })
    setProgress(new Map())
    void runRelease(
      controllers,
      async (deviceId, overrideId) => {
        if (await release(deviceId, overrideId, reason)) throw new Error(releaseTexts.waits)
      },
      (each) => setProgress((before) => new Map(before).set(each.plan.deviceId, each)),
    )
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.title}
      size="lg"
      closeOnClickOutside={confirmed === undefined || isOver}
    >
      <Stack>
        {plan.unreachable.length > 0 && (
          <Alert color="orange" title={texts.unreachableTitle}>
            {format(texts.unreachable, { controllers: listed(plan.unreachable), count: plan.unreachable.length })}
          </Alert>
        )}
        {plan.controllers.length === 0 && <Text>{texts.nothing}</Text>}
        {!confirmed && plan.controllers.length > 0 && <Text>{texts.what}</Text>}
        {confirmed === undefined
          ? plan.controllers.map((each) => <Planned key={each.deviceId} plan={each} />)
          : all.map((each) => <Progress key={each.plan.deviceId} progress={each} />)}
        {!confirmed && plan.controllers.length > 0 && <Text size="sm">{texts.others}</Text>}
        {!confirmed && plan.controllers.length > 0 && <ReasonInput reason={reason} onChange={setReason} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {confirmed ? common.close : common.cancel}
          </Button>
          {!confirmed && plan.controllers.length > 0 && (
            <Button color="red.9" onClick={() => start(plan.controllers)}>
              {format(texts.action, { count: countOf(plan.controllers) })}
            </Button>
          )}
          {isOver && failed.length > 0 && (
            <Button color="red.9" onClick={() => start(failed)}>
              {format(texts.again, { count: countOf(failed) })}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

const countOf = (plans: readonly ControllerPlan[]) => plans.reduce((sum, { releases }) => sum + releases.length, 0)
const nameOf = ({ name }: PlannedRelease) => name ?? siteTexts.unknownDatapoint

const SHOWN = 50

function Planned({ plan: { name, releases, leftOut } }: { plan: ControllerPlan }) {
  return (
    <div>
      <Text fw={600}>{name}</Text>
      <List size="sm">
        {releases.slice(0, SHOWN).map((release) => (
          <List.Item key={release.datapointId}>{describe(release)}</List.Item>
        ))}
      </List>
      {releases.length > SHOWN && <Text size="sm">{format(texts.more, { count: releases.length - SHOWN })}</Text>}
      {leftOut > 0 && <Text size="sm">{format(texts.leftOut, { count: leftOut })}</Text>}
    </div>
  )
}

function describe(release: PlannedRelease): string {
  const { value, unit, overrideIds } = release
  const count = overrideIds.length
  if (value === undefined) return format(texts.queuedOn, { name: nameOf(release), count })
  return format(texts.heldOn, { name: nameOf(release), value: shownValue(value, unit), count })
}

function Progress({ progress: { plan, done, failed, isOver } }: { progress: ControllerProgress }) {
  const { name, releases, leftOut } = plan
  const text = format(isOver ? texts.released : texts.releasing, { name, done, count: releases.length })
  return (
    <div>
      <Text fw={600} role="status">
        {text}
      </Text>
      {failed.length > 0 && (
        <Alert color="red" role="alert" mt={4}>
          <List size="sm">
            {failed.map(({ release, error }) => (
              <List.Item key={release.datapointId}>
                {format(texts.failed, { name: nameOf(release), why: describeError(error) })}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {isOver && leftOut > 0 && <Text size="sm">{format(texts.leftOut, { count: leftOut })}</Text>}
    </div>
  )
}
