import { answerLive, applyForLive } from '../../../actions/partners/applications.ts';
import { type Application, liveApplicationOf } from '../../../domains/partners/applications/applications.ts';
import { Type } from '../../../platform/contract/schema.ts';
import type { Base } from '../../../worlds/base.ts';
import { jsonOf, shortText } from '../../site/json/action.ts';
import { detailsView } from '../../site/views/records.ts';
import { fields, memberChange, memberRead } from '../member-action.ts';

const text = Type.String({ maxLength: 4_000 });

/** Applying for live, for partners who signed up themselves. */
export const liveApplicationActions = ({ db }: Base) => [
  memberRead('/api/live-application', {
    may: 'see',
    viewed: {
      is_live: true,
      application: {
        ...fields('id', 'status', 'version', 'company', 'address', 'country', 'tax_number', 'volume', 'use'),
        ...fields('question', 'answer', 'note', 'created_at'),
      },
    },
    async read({ member }) {
      const latest = await liveApplicationOf(db, member.partnerId);
      return { is_live: member.isLive, application: latest ? view(latest) : null };
    },
  }),
  memberChange('/api/live-application', {
    may: 'manage',
    body: Type.Object({
      company: shortText,
      address: text,
      country: shortText,
      tax_number: shortText,
      volume: shortText,
      use: text,
    }),
    async handle({ actor, member }, { tax_number: taxNumber, ...typed }) {
      return { body: { application: view(await applyForLive(actor, member, { ...typed, taxNumber })) } };
    },
  }),
  memberChange('/api/live-application/answer', {
    may: 'manage',
    body: Type.Object({ version: Type.Integer(), answer: text }),
    async handle({ actor, member }, typed) {
      return { body: { application: view(await answerLive(actor, member.partnerId, typed)) } };
    },
  }),
];

const view = ({ details, ...application }: Application) => ({
  id: application.applicationId,
  /** `version` is sent with an answer; `question` and `note` are the operator's. */
  ...jsonOf(application, 'status', 'version', 'company', 'question', 'answer', 'note', 'createdAt'),
  ...detailsView(details),
});
