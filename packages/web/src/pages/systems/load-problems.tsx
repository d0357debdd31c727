import { Alert, Code, List } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import { ErrorNotice } from '../../parts/notices.tsx'
import { systems } from '../../texts/systems.ts'
import { mistakesIn } from './mistakes.ts'
import { FileMistake } from './read-file.ts'

const texts = systems.load

/** Why a file was not loaded: its mistakes one by one, a device that is away, or what else it was. */
export function LoadProblems({ error }: { error: Error }) {
  if (error instanceof FileMistake) return <Alert color="red" variant="light" role="alert" title={error.message} />
  if (!(error instanceof ApiError)) return <ErrorNotice error={error} />
  if (error.status === 502) return <Alert color="red" variant="light" role="alert" title={texts.offline} />
  if (error.status !== 400 && error.status !== 499) return <ErrorNotice error={error} />
  const mistakes = mistakesIn(error.message)
  const isSentence = mistakes.every(({ path }) => path === '')
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title={isSentence ? texts.refused : texts.mistakes(mistakes.length)}
    >
      <List size="sm" listStyleType={isSentence ? 'none' : 'disc'}>
        {mistakes.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            {path && <Code>{path}</Code>} {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
