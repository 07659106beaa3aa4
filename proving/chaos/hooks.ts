import type { ServerResponse } from 'node:http';
import type { Received, Receiver } from '../../test/support/servers/receiver.ts';
import { esimEvents, refundEvents } from './events.ts';
import type { Partner, WorldName } from './model.ts';
import { type Draw, definite, keyOf, type Scene, settled } from './scene.ts';
import { requireThat } from './violation.ts';

const CONTRACT = ['created', 'paid', 'delivered', 'deferred', 'failed', 'test'].map((name) => `order.${name}`);

/** Subscribes an unused receiver. */
export async function subscribe(
  scene: Pick<Scene, 'site' | 'events' | 'model'>,
  partner: Partner,
  world: WorldName,
  receiver: Receiver,
  wantsMore = false,
): Promise<'done' | 'unknown'> {
  const { site, events, model } = scene;
  const ended = await site.operator(
    'webhook',
    'create',
    '--partner',
    `${partner.id}`,
    '--mode',
    world,
    '--url',
    receiver.url,
    ...(wantsMore ? ['--events', [...CONTRACT, ...refundEvents, ...esimEvents].join(',')] : []),
  );
  if (ended.outcome === 'unknown') return 'unknown';
  requireThat(ended.outcome === 'done', 'a subscription was refused', ended);
  const { subscription_id: id, secret } = ended.result;
  const { round } = model;
  events.subscriptions.push({
    id: Number(id),
    partner,
    world,
    secret,
    receiver,
    wantsMore,
    round,
    deliveryId: undefined,
  });
  return 'done';
}

/** Pauses a subscription: events are held meanwhile, and sent when it is resumed. */
export const pauseOrResume: Draw = (scene) => {
  const { dice, events, site } = scene;
  const subscription = dice.of(events.subscriptions);
  const { id } = subscription;
  const action = dice.of(['pause', 'resume', 'resume'] as const);
  return {
    label: `webhook ${action} ${id}`,
    alone: [`subscription ${id}`],
    async run() {
      settled(scene, await site.operator('webhook', action, `${id}`), `webhook ${action}`);
    },
  };
};

const hang = (_: Received, _response: ServerResponse) => {};
const slow = (_: Received, response: ServerResponse) => void setTimeout(() => response.writeHead(200).end(), 700);
const broken = (_: Received, response: ServerResponse) => void response.destroy();
const ANSWERS = [200, 200, 204, 500, 404, hang, slow, broken];

/** A receiver changes how it answers. */
export const misreceive: Draw = (scene) => {
  const receiver = scene.dice.of(scene.events.subscriptions).receiver;
  const isWell = typeof receiver.answer === 'number' && receiver.answer < 300;
  const answer = isWell ? scene.dice.of(ANSWERS) : 200;
  return {
    label: `receiver ${receiver.host} answers ${typeof answer === 'number' ? answer : answer.name}`,
    async run() {
      receiver.answer = answer;
    },
  };
};

const NO_RECEIVER = ['no_active_subscription', 'no_subscription', 'sandbox_queue_full'];

export const testEvent: Draw = (scene) => {
  const { dice, model, site, events } = scene;
  const partner = dice.of(model.partners);
  const world = dice.of(['live', 'sandbox'] as const);
  return {
    label: `${partner.id} sends itself a test event in ${world}`,
    async run() {
      const answer = definite(
        scene,
        await site.call(world, keyOf(partner, world).key, '/webhook/test', {}),
        'webhook/test',
      );
      if (!answer) return;
      if (answer.status !== 200)
        return requireThat(NO_RECEIVER.includes(answer.body.error), 'webhook/test', answer.body);
      const { event_id: eventId, queued } = answer.body;
      events.tests.push({ eventId, partner, world, queued });
    },
  };
};
