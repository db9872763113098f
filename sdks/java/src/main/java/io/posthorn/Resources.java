// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The resources of a client. */
public abstract class Resources {
  private final MeResource me;
  private final WorkspaceResource workspace;
  private final EnvironmentsResource environments;
  private final AgentsResource agents;
  private final ApiKeysResource apiKeys;
  private final EventTypesResource eventTypes;
  private final CatalogResource catalog;
  private final ApplicationsResource applications;
  private final EndpointsResource endpoints;
  private final PullKeysResource pullKeys;
  private final SubscriptionsResource subscriptions;
  private final SourcesResource sources;
  private final DeliveriesResource deliveries;
  private final EventsResource events;
  private final ErasuresResource erasures;
  private final OperationsResource operations;
  private final AlertRulesResource alertRules;
  private final StatsResource stats;
  private final UsageResource usage;
  private final AuditLogsResource auditLogs;
  private final PortalSessionsResource portalSessions;

  Resources(Transport transport) {
    this.me = new MeResource(transport);
    this.workspace = new WorkspaceResource(transport);
    this.environments = new EnvironmentsResource(transport);
    this.agents = new AgentsResource(transport);
    this.apiKeys = new ApiKeysResource(transport);
    this.eventTypes = new EventTypesResource(transport);
    this.catalog = new CatalogResource(transport);
    this.applications = new ApplicationsResource(transport);
    this.endpoints = new EndpointsResource(transport);
    this.pullKeys = new PullKeysResource(transport);
    this.subscriptions = new SubscriptionsResource(transport);
    this.sources = new SourcesResource(transport);
    this.deliveries = new DeliveriesResource(transport);
    this.events = new EventsResource(transport);
    this.erasures = new ErasuresResource(transport);
    this.operations = new OperationsResource(transport);
    this.alertRules = new AlertRulesResource(transport);
    this.stats = new StatsResource(transport);
    this.usage = new UsageResource(transport);
    this.auditLogs = new AuditLogsResource(transport);
    this.portalSessions = new PortalSessionsResource(transport);
  }

  /** The credentials of the management interface. */
  public MeResource me() {
    return me;
  }

  /** A workspace contains every other resource. */
  public WorkspaceResource workspace() {
    return workspace;
  }

  /** Separate sets of API keys and endpoints, each with its own visibility of event types. */
  public EnvironmentsResource environments() {
    return environments;
  }

  /** Agent subscriptions over the Model Context Protocol, and agent keys. */
  public AgentsResource agents() {
    return agents;
  }

  /** The credentials of producers. Each is bound to one environment. */
  public ApiKeysResource apiKeys() {
    return apiKeys;
  }

  /** Categories of events, with their schemas and their publication and schema checks in each environment. */
  public EventTypesResource eventTypes() {
    return eventTypes;
  }

  /** The published event types that receivers can subscribe to, with schema and example. */
  public CatalogResource catalog() {
    return catalog;
  }

  /** Your customers. Each has its own endpoints. */
  public ApplicationsResource applications() {
    return applications;
  }

  /** The destinations that receive signed deliveries. */
  public EndpointsResource endpoints() {
    return endpoints;
  }

  /** The credentials with which consumers fetch the deliveries of one endpoint. */
  public PullKeysResource pullKeys() {
    return pullKeys;
  }

  /** The event types that each endpoint receives. */
  public SubscriptionsResource subscriptions() {
    return subscriptions;
  }

  /** Kafka topics whose records become events. */
  public SourcesResource sources() {
    return sources;
  }

  /** The deliveries of events to endpoints, with every attempt. */
  public DeliveriesResource deliveries() {
    return deliveries;
  }

  /** The events that producers sent, and why each endpoint did or did not receive them. */
  public EventsResource events() {
    return events;
  }

  /** Recoveries and bulk changes of many deliveries, which run in the background. */
  public ErasuresResource erasures() {
    return erasures;
  }

  /** Recoveries and bulk changes of many deliveries, which run in the background. */
  public OperationsResource operations() {
    return operations;
  }

  /** Notifications about operational events by email, in a chat or through PagerDuty. */
  public AlertRulesResource alertRules() {
    return alertRules;
  }

  /** Counts, durations and delays, and a live stream of changes. */
  public StatsResource stats() {
    return stats;
  }

  /** The usage of each customer, for billing. */
  public UsageResource usage() {
    return usage;
  }

  /** A record of every change, with its actor and origin. */
  public AuditLogsResource auditLogs() {
    return auditLogs;
  }

  /** Sessions that give a customer access to the portal. */
  public PortalSessionsResource portalSessions() {
    return portalSessions;
  }
}
