// In a project of your own this is '@wayfare/sdk'; here it is the SDK of this tree, so that nothing has to be packed first.
export * from '../../sdk/src/wayfare.ts';
