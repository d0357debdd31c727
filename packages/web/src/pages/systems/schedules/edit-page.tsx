import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type CommissioningFile, changesOf } from '@plantroom/contract/commissioning'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../../api/service.ts'
import { useDevices } from '../../../api/use-devices.ts'
import { useSite } from '../../../api/use-site.ts'
import { Modal } from '../../../parts/dialogs.tsx'
import { Link } from '../../../parts/link.tsx'
import { QueryView } from '../../../parts/notices.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { common } from '../../../texts/common.ts'
import { format } from '../../../texts/format.ts'
import { schedules } from '../../../texts/schedules.ts'
import { unitsOf } from '../review/describe-change.ts'
import { outcomeOf, Review } from '../review/review.tsx'
import { type Reviewed, useReview, useUndo } from '../review/use-review.ts'
import { type Draft, draftOf, draftProblems, drivableDatapoints, fileOf, withNewSchedule } from './draft.ts'
import { PeakFields } from './peak-fields.tsx'
import { ScheduleFields } from './schedule-fields.tsx'

const texts = schedules.editor

/** What is commissioned, as the person who edits it has seen it. */
interface Base {
  file: CommissioningFile
  token: string
}

/** Edits the schedules and the peak shaving of a technical system. Saving loads a new version of its file. */
export function EditPage({ deviceId, systemId }: { deviceId: string; systemId: string }) {
  const { orgId } = useSite()
  const base = useQuery({
    queryKey: ['commissioning-edit', orgId, deviceId, systemId],
    queryFn: async (): Promise<Base> => {
      const file = await api.getCommissioningFile({ orgId, deviceId, systemId })
      const { base: token, before } = await api.checkCommissioning({ orgId, deviceId, body: { ...file } })
      return { file: before ?? file, token }
    },
    // What the person has typed must not change under their hands.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return <QueryView query={base}>{(found) => <Editor deviceId={deviceId} base={found} />}</QueryView>
}

function Editor({ deviceId, base }: { deviceId: string; base: Base }) {
  const { site, path } = useSite()
  const [, navigate] = useLocation()
  const devices = useDevices()
  const device = devices.data?.find(({ id }) => id === deviceId)
  const [draft, setDraft] = useState<Draft>(() => draftOf(base.file))
  const [isReviewing, setIsReviewing] = useState(false)
  const system = base.file.technicalSystem
  const undo = useUndoNotice(deviceId, system)
  const review = useReview(deviceId, (reviewed) => {
    undo(reviewed)
    navigate(path('/schedules'))
  })

  const file = useDeferredValue(useMemo(() => fileOf(base.file, draft), [base, draft]))
  const problems = useMemo(() => draftProblems(file), [file])
  const isChanged = useMemo(
    () => problems.size > 0 || changesOf(base.file, file).system === 'changed',
    [problems, base, file],
  )
  const unitOf = useMemo(() => unitsOf(base.file), [base])
  const problemAt = (at: string) => problems.get(at)
  const isOffline = device?.online === false

  function startReview(): void {
    review.start(fileOf(base.file, draft), { base: base.token, rebase: (now) => fileOf(now, draft) })
    setIsReviewing(true)
  }

  return (
    <>
      <PageHead title={format(texts.title, { system })} actions={<Link to={path('/schedules')}>{texts.back}</Link>}>
        {format(texts.intro, { device: device?.name ?? deviceId, zone: site.timeZone })}
      </PageHead>
      <Stack gap="lg">
        {isOffline && (
          <Alert color="orange" variant="light" role="status" title={texts.offline}>
            {texts.offlineHint}
          </Alert>
        )}
        <ScheduleList file={base.file} draft={draft} unitOf={unitOf} problemAt={problemAt} onChange={setDraft} />
        {draft.peakShaving && (
          <PeakFields
            shaving={draft.peakShaving}
            unitOf={unitOf}
            problemAt={problemAt}
            onChange={(peakShaving) => setDraft((before) => ({ ...before, peakShaving }))}
          />
        )}
        <Group>
          <Button onClick={startReview} disabled={problems.size > 0 || !isChanged || isOffline}>
            {texts.review}
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {problems.size > 0 ? format(texts.problems, { count: problems.size }) : !isChanged && texts.unchanged}
          </Text>
        </Group>
      </Stack>
      <Modal
        opened={isReviewing}
        onClose={() => setIsReviewing(false)}
        size="xl"
        title={format(texts.reviewTitle, { system })}
      >
        <Stack>
          <Review review={review} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setIsReviewing(false)}>
              {common.cancel}
            </Button>
            {outcomeOf(review.check.data) !== 'none' && (
              <Button
                onClick={() => review.check.data && review.load.mutate(review.check.data)}
                loading={review.load.isPending}
              >
                {review.check.data?.conflict ? texts.saveMine : texts.save}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

function ScheduleList({
  file,
  draft,
  unitOf,
  problemAt,
  onChange,
}: {
  file: CommissioningFile
  draft: Draft
  unitOf: ReturnType<typeof unitsOf>
  problemAt: (path: string) => string | undefined
  onChange: (draft: Draft) => void
}) {
  const { schedules: list } = draft
  const free = useMemo(() => drivableDatapoints(file, draft), [file, draft])
  return (
    <Stack>
      {list.length === 0 && <Text>{texts.noSchedules}</Text>}
      {list.map((schedule, index) => (
        <ScheduleFields
          key={schedule.key}
          file={file}
          draft={draft}
          index={index}
          schedule={schedule}
          unitOf={unitOf}
          problemAt={problemAt}
          onChange={(changed) => onChange({ ...draft, schedules: list.with(index, changed) })}
          onRemove={() => onChange({ ...draft, schedules: list.filter(({ key }) => key !== schedule.key) })}
        />
      ))}
      {free[0] !== undefined && (
        <Group>
          <Button variant="default" onClick={() => free[0] !== undefined && onChange(withNewSchedule(draft, free[0]))}>
            {texts.addSchedule}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** Tells that a change was saved, with a button that undoes it. */
function useUndoNotice(deviceId: string, system: string) {
  const undo = useUndo(deviceId)
  return (reviewed: Reviewed) => {
    const id = notifications.show({
      autoClose: 30_000,
      message: (
        <Group gap="sm">
          <Text size="sm">{format(texts.saved, { system })}</Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={async () => {
              notifications.hide(id)
              const isUndone = await undo(reviewed).catch(() => false)
              notifications.show({
                message: format(isUndone ? texts.undone : texts.notUndone, { system }),
                ...(!isUndone && { color: 'orange', autoClose: false }),
              })
            }}
          >
            {texts.undo}
          </Button>
        </Group>
      ),
    })
  }
}
