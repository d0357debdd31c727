import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Device } from '@plantroom/contract/api'
import { type CommissioningVersion, changesOf, KEPT_VERSIONS } from '@plantroom/contract/commissioning'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/service.ts'
import { useOperation } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { Modal } from '../../parts/dialogs.tsx'
import { Empty, ErrorNotice, Loading, QueryView } from '../../parts/notices.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { fullTime } from '../../parts/time.ts'
import { joinFacts } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { schedules } from '../../texts/schedules.ts'
import { ChangesView } from './review/changes-view.tsx'
import { describeWho, unitsOf } from './review/describe-change.ts'
import { outcomeOf, Review } from './review/review.tsx'
import { useReview } from './review/use-review.ts'

const texts = schedules.history

/** What was commissioned on a controller, or one system of it: who changed it, when, what, and a way back to each. */
export function Versions({
  device,
  system,
  onClose,
}: {
  device: Pick<Device, 'id' | 'name'>
  /** Without it, all systems of the controller, also those that were removed. */
  system?: Pick<TechnicalSystem, 'id' | 'name'> | undefined
  onClose: () => void
}) {
  const { orgId } = useSite()
  const { id: deviceId } = device
  const [chosen, setChosen] = useState<CommissioningVersion>()
  const versions = useOperation(
    'listCommissioningVersions',
    { deviceId, query: { technicalSystemId: system?.id } },
    { select: (reply) => reply.versions },
  )
  const review = useReview(deviceId, () => {
    if (chosen) notifications.show({ message: format(texts.restored, namesOf(chosen)) })
    onClose()
  })
  const read = useMutation({
    mutationFn: (version: number) => api.getCommissioningVersion({ orgId, deviceId, version: String(version) }),
    onSuccess: (file) => review.start(file),
  })
  function choose(version: CommissioningVersion): void {
    setChosen(version)
    review.check.reset()
    read.mutate(version.version)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={
        chosen
          ? format(texts.restoreTitle, namesOf(chosen))
          : format(texts.title, { system: system?.name ?? device.name })
      }
    >
      {chosen ? (
        <Stack>
          {read.isPending && <Loading />}
          {read.error && <ErrorNotice error={read.error} retry={() => choose(chosen)} />}
          <Review review={review} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setChosen(undefined)}>
              {texts.back}
            </Button>
            {outcomeOf(review.check.data) !== 'none' && (
              <Button
                onClick={() => review.check.data && review.load.mutate(review.check.data)}
                loading={review.load.isPending}
              >
                {texts.restoreAction}
              </Button>
            )}
          </Group>
        </Stack>
      ) : (
        <Stack>
          <Text size="sm">{format(texts.intro, { count: KEPT_VERSIONS.ofSystem })}</Text>
          <QueryView query={versions}>
            {(found) =>
              found.length === 0 ? (
                <Empty title={texts.none} />
              ) : (
                <Stack gap="md">
                  {found.map((version, index) => (
                    <Version
                      key={version.version}
                      deviceId={deviceId}
                      version={version}
                      before={found
                        .slice(index + 1)
                        .find((older) => older.technicalSystemId === version.technicalSystemId)}
                      showsSystem={!system}
                      onRestore={() => choose(version)}
                    />
                  ))}
                </Stack>
              )
            }
          </QueryView>
        </Stack>
      )}
    </Modal>
  )
}

const namesOf = ({ version, technicalSystem }: CommissioningVersion) => ({ version, system: technicalSystem })

function Version({
  deviceId,
  version: own,
  before,
  showsSystem,
  onRestore,
}: {
  deviceId: string
  version: CommissioningVersion
  before: CommissioningVersion | undefined
  showsSystem: boolean
  onRestore: () => void
}) {
  const { site } = useSite()
  const [isOpen, setIsOpen] = useState(false)
  const { version, at, by, isCurrent, connections, datapoints, rolledBack } = own
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <div>
          <Group gap="xs">
            <Text fw={600}>
              {at === null
                ? texts.before
                : format(texts.entry, { time: fullTime(at, site.timeZone), who: describeWho(by) })}
            </Text>
            {isCurrent && (
              <Badge variant="light" c="inherit">
                {texts.current}
              </Badge>
            )}
            {rolledBack && (
              <Badge variant="light" color="orange" c="inherit">
                {texts.rolledBack}
              </Badge>
            )}
          </Group>
          {rolledBack && (
            <Text size="sm">
              {format(texts.wentBack[rolledBack.reason], {
                time: fullTime(rolledBack.at, site.timeZone),
                lost: rolledBack.lost.join(', '),
              })}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {connections === 0
              ? joinFacts([showsSystem && own.technicalSystem, texts.removed])
              : joinFacts([
                  showsSystem && own.technicalSystem,
                  format(texts.datapoints, { count: datapoints }),
                  format(texts.schedules, { count: own.schedules }),
                  own.templates.length > 0 && format(texts.templates, { names: own.templates.join(', ') }),
                  own.tests > 0 && format(texts.tests, { count: own.tests }),
                ])}
          </Text>
        </div>
        <Group gap="xs">
          <SmallButton
            aria-expanded={isOpen}
            aria-label={format(texts.whatChangedLabel, { version })}
            onClick={() => setIsOpen((before) => !before)}
          >
            {texts.whatChanged}
          </SmallButton>
          {!isCurrent && (
            <Button size="xs" aria-label={format(texts.restoreLabel, { version })} onClick={onRestore}>
              {texts.restore}
            </Button>
          )}
        </Group>
      </Group>
      {isOpen &&
        (before ? <WhatChanged deviceId={deviceId} versions={[before, own]} /> : <Text mt="xs">{texts.first}</Text>)}
    </div>
  )
}

function WhatChanged({
  deviceId,
  versions,
}: {
  deviceId: string
  versions: readonly [before: CommissioningVersion, after: CommissioningVersion]
}) {
  const { orgId } = useSite()
  const [before, after] = versions.map(({ version }) => String(version)) as [string, string]
  const files = useQuery({
    queryKey: ['commissioning-version', orgId, deviceId, before, after],
    queryFn: () =>
      Promise.all([before, after].map((version) => api.getCommissioningVersion({ orgId, deviceId, version }))),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <QueryView query={files}>
      {([old, next]) =>
        next && (
          <ChangesView
            changes={changesOf(old?.connections.length === 0 ? undefined : old, next)}
            unitOf={unitsOf(next, old)}
          />
        )
      }
    </QueryView>
  )
}
