import { useQuery } from '@tanstack/react-query'
import { Redirect, useSearchParams } from 'wouter'
import { session } from '../../api/service.ts'
import { useSession } from '../../api/use-session.ts'
import { Link } from '../../parts/link.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { FrontDoor } from '../../shell/front-door.tsx'
import { setUp as texts } from '../../texts/sign-in.ts'
import { SetUpForm } from './set-up-form.tsx'

/** The first start: whoever can read the log of the cloud becomes its administrator. */
export function SetUpPage() {
  const [parameters] = useSearchParams()
  const isSignedIn = Boolean(useSession().data)
  const setUp = useQuery({ queryKey: ['set-up'], queryFn: session.needsSetUp })

  if (isSignedIn) return <Redirect to="/" replace />
  if (setUp.data === false) {
    return (
      <FrontDoor title={texts.done} lead={texts.doneHint}>
        <Link to="/sign-in">{texts.toSignIn}</Link>
      </FrontDoor>
    )
  }
  return (
    <FrontDoor title={texts.title} lead={texts.lead} wide>
      <QueryView query={setUp}>{() => <SetUpForm givenToken={parameters.get('token') ?? ''} />}</QueryView>
    </FrontDoor>
  )
}
