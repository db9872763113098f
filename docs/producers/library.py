import os

from posthorn_client import Posthorn

posthorn = Posthorn(os.environ["BASE_URL"], api_key=os.environ["API_KEY"])
order = {"id": "order_1010", "total": 1900}
posthorn.events.send("order.paid", order, application="ext:customer-42", idempotency_key="order-1011-paid")
