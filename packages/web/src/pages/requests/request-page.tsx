import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import type { ShownTicket } from '@plantroom/contract/api'
import { useState } from 'react'
import { useSite } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { useLightOnPaper } from '../../parts/printing.ts'
import { format } from '../../texts/format.ts'
import { requestFields } from '../../texts/request-fields.ts'
import { editing } from '../../texts/request-parts.ts'
import { request, requests } from '../../texts/requests.ts'
import { AttachmentList } from './attachment-list.tsx'
import { Conversation } from './conversation.tsx'
import { priorityName } from './describe-request.ts'
import { EditRequest } from './edit-request.tsx'
import { printRequest } from './print-request.ts'
import { RequestDetails } from './request-details.tsx'
import { HazardBadge, RequestsOff, StateBadge } from './request-parts.tsx'
import classes from './requests.module.css'
import { StateControl } from './state-control.tsx'
import { useRequest } from './use-requests.ts'
import { WrittenText } from './written-text.tsx'

/** One maintenance request. */
export function RequestPage({ number }: { number: number }) {
  const { site } = useSite()
  if (!site.maintenanceRequests) return <RequestsOff />
  return Number.isSafeInteger(number) && number > 0 ? <Request number={number} /> : <NotFound />
}

function Request({ number }: { number: number }) {
  const { data: ticket, error, refetch } = useRequest(number)
  if (ticket) return <ShownRequest ticket={ticket} />
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  return (
    <>
      <PageHead title={format(request.loading, { number: String(number) })} />
      {error ? <ErrorNotice error={error} retry={refetch} /> : <Loading />}
    </>
  )
}

function NotFound() {
  const { path } = useSite()
  return (
    <>
      <PageHead title={requests.title} />
      <Empty title={request.notFound}>
        {request.notFoundHint}{' '}
        <Link to={path('/requests')} underline="always">
          {request.back}
        </Link>
      </Empty>
    </>
  )
}

function ShownRequest({ ticket }: { ticket: ShownTicket }) {
  const { path, may } = useSite()
  const { number, title, state, priority, safetyHazard } = ticket
  const [isEditing, setEditing] = useState(false)
  useLightOnPaper()
  return (
    <>
      <div className={classes.screenOnly}>
        <Link to={path('/requests')} size="sm" display="inline-block" mb="xs">
          {request.back}
        </Link>
      </div>
      <PageHead
        title={format(request.heading, { number: String(number), title })}
        actions={
          <Group gap="sm" className={classes.screenOnly}>
            <Button variant="default" onClick={() => void printRequest()}>
              {editing.print}
            </Button>
            {may('manager') && (
              <>
                <Button variant="default" onClick={() => setEditing(true)}>
                  {editing.edit}
                </Button>
                <StateControl ticket={ticket} />
              </>
            )}
          </Group>
        }
      >
        <Group gap="xs" mt={4}>
          <StateBadge state={state} size="lg" />
          <HazardBadge hazard={safetyHazard} size="lg" />
          {priority !== null && <Text span>{format(requests.priorityOf, { priority: priorityName(priority) })}</Text>}
        </Group>
      </PageHead>
      <div className={classes.columns}>
        <div className={classes.text}>
          <Texts ticket={ticket} />
        </div>
        <div className={classes.side}>
          <RequestDetails ticket={ticket} />
        </div>
        <div className={classes.talk}>
          <Conversation ticket={ticket} />
        </div>
      </div>
      {isEditing && <EditRequest ticket={ticket} onClose={() => setEditing(false)} />}
    </>
  )
}

function Texts({ ticket }: { ticket: ShownTicket }) {
  const { description, notes, resolutionSummary, attachments, number } = ticket
  const texts = [
    { title: requestFields.description, text: description?.trim() ? description : request.noDescription },
    { title: requestFields.resolutionSummary, text: resolutionSummary },
    { title: requestFields.notes, text: notes },
  ]
  return (
    <Card withBorder>
      <Stack>
        {texts.map(
          ({ title, text }) =>
            text?.trim() && (
              <section key={title}>
                <Title order={2} size="h4" mb={4}>
                  {title}
                </Title>
                <WrittenText>{text}</WrittenText>
              </section>
            ),
        )}
        {attachments.length > 0 && (
          <section>
            <Title order={2} size="h4" mb={4}>
              {requestFields.attachments}
            </Title>
            <AttachmentList number={number} attachments={attachments} />
          </section>
        )}
      </Stack>
    </Card>
  )
}
