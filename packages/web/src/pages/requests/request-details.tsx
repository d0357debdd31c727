import { Card, Stack, Text, Title } from '@mantine/core'
import type { ShownTicket } from '@plantroom/contract/api'
import { columnField, PLAIN_FIELDS } from '@plantroom/contract/request-fields'
import type { ReactNode } from 'react'
import { useSite } from '../../api/use-site.ts'
import { useIsPrinting } from '../../parts/printing.ts'
import { fullTime } from '../../parts/time.ts'
import { format } from '../../texts/format.ts'
import { requestFields } from '../../texts/request-fields.ts'
import { request } from '../../texts/requests.ts'
import { valueText } from './describe-field.ts'
import { priorityName } from './describe-request.ts'
import { RequestEditors } from './request-editors.tsx'
import { PersonView, TagList } from './request-parts.tsx'
import classes from './requests.module.css'

/** The details of a request; managers can change some of them here. */
export function RequestDetails({ ticket }: { ticket: ShownTicket }) {
  const { may } = useSite()
  const editable = may('manager')
  const isPrinting = useIsPrinting()
  return (
    <Card withBorder>
      <Stack>
        <Title order={2} size="h4">
          {request.details}
        </Title>
        {editable && !isPrinting && <RequestEditors ticket={ticket} />}
        {!editable && !isPrinting && <Text size="sm">{request.viewerHint}</Text>}
        <Facts ticket={ticket} editable={editable && !isPrinting} />
      </Stack>
    </Card>
  )
}

function Facts({ ticket, editable }: { ticket: ShownTicket; editable: boolean }) {
  const { site } = useSite()
  const time = (at: string) => fullTime(at, site.timeZone)
  const { feedback, feedbackText } = ticket
  return (
    <dl className={classes.facts}>
      <Fact name={requestFields.reporter}>
        <PersonView person={ticket.reporter} />
      </Fact>
      {!editable && (
        <>
          <Fact name={requestFields.assignee}>
            {ticket.assignee ? <PersonView person={ticket.assignee} /> : request.nobody}
          </Fact>
          <Fact name={requestFields.priority}>
            {ticket.priority === null ? request.noPriority : priorityName(ticket.priority)}
          </Fact>
          <Fact name={requestFields.unit}>{ticket.unit ?? request.noUnit}</Fact>
          <Fact name={requestFields.tags}>
            {ticket.tags.length > 0 ? <TagList tags={ticket.tags} all /> : request.noTags}
          </Fact>
        </>
      )}
      {!editable && ticket.supervisor && (
        <Fact name={requestFields.supervisor}>
          <PersonView person={ticket.supervisor} />
        </Fact>
      )}
      {!editable && ticket.watchers.length > 0 && (
        <Fact name={requestFields.watchers}>
          <Stack gap={4}>
            {ticket.watchers.map((watcher, place) => (
              <PersonView key={watcher.email ?? place} person={watcher} />
            ))}
          </Stack>
        </Fact>
      )}
      {ticket.ccEmails.length > 0 && <Fact name={requestFields.ccEmails}>{ticket.ccEmails.join(', ')}</Fact>}
      {PLAIN_FIELDS.filter((name) => !(editable && columnField(name).edit)).map((name) => {
        const value = ticket[name] ?? ''
        if (value === '') return null
        return (
          <Fact key={name} name={requestFields[name]}>
            {valueText(name, String(value))}
          </Fact>
        )
      })}
      {(feedback !== null || feedbackText) && (
        <Fact name={requestFields.feedback}>{describeFeedback(feedback, feedbackText)}</Fact>
      )}
      <Fact name={requestFields.createdAt}>{time(ticket.createdAt)}</Fact>
      {ticket.updatedAt && <Fact name={requestFields.updatedAt}>{time(ticket.updatedAt)}</Fact>}
      <Fact name={request.stateSince}>{time(ticket.stateChangedAt)}</Fact>
      {ticket.resolvedAt && <Fact name={requestFields.resolvedAt}>{time(ticket.resolvedAt)}</Fact>}
      <Fact name={requestFields.externalId}>{ticket.externalId}</Fact>
    </dl>
  )
}

function describeFeedback(score: number | null, text: string | null): string {
  if (score === null) return text ?? ''
  return text === null ? String(score) : format(request.feedbackWithText, { score: String(score), text })
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
